--- The plugin's door for users: `require("inplace").setup({ ... })`, and what a status line may show.
local M = {}

--- Change settings; |inplace-settings| lists them. Without it the defaults hold.
---@param options? table
function M.setup(options)
  require("inplace.settings").set(options or {})
end

--- What the server is doing now, in a few words; "" when nothing. For a status line.
---@return string
function M.status()
  return require("inplace.progress").status()
end

return M

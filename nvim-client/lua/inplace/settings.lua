--- The user's settings. They are read when they are needed, so it does not matter when `setup` is called.
local M = {}

---@class inplace.Settings
---@field cmd? string[] the command that starts the server
---@field root_markers string[] a folder that holds one of these is a project
---@field interpreter? string the Python whose packages are read, and that runs verified code
---@field trusted? boolean whether code may be run; nil: ask once for each folder
---@field server table<string, any> settings of the server
---@field show_trace "always"|"hazards"|"never" when the trace opens after verifying
---@field trace_window "float"|"split"|"vsplit"
---@field progress boolean say in the message line what the server is doing

---@type inplace.Settings
local DEFAULTS = {
  root_markers = { "pyproject.toml", "setup.py", "setup.cfg", ".git" },
  server = {},
  show_trace = "hazards",
  trace_window = "float",
  progress = true,
}

--- What is allowed: a type, or a list of values.
local ALLOWED = {
  cmd = "table",
  root_markers = "table",
  interpreter = "string",
  trusted = "boolean",
  server = "table",
  show_trace = { "always", "hazards", "never" },
  trace_window = { "float", "split", "vsplit" },
  progress = "boolean",
}

local current = vim.deepcopy(DEFAULTS)

---@return string? problem
local function problem(key, value)
  local allowed = ALLOWED[key]
  if allowed == nil then
    local known = vim.tbl_keys(ALLOWED)
    table.sort(known)
    return ("there is no setting `%s`; there are: %s"):format(key, table.concat(known, ", "))
  elseif type(allowed) == "table" and not vim.tbl_contains(allowed, value) then
    return ("`%s` must be one of %s, not %s"):format(key, table.concat(allowed, ", "), vim.inspect(value))
  elseif type(allowed) == "string" and type(value) ~= allowed then
    return ("`%s` must be a %s, not %s"):format(key, allowed, vim.inspect(value))
  end
end

--- Take the user's settings; a bad one is one message, and its default stands.
---@param options table
function M.set(options)
  current = vim.deepcopy(DEFAULTS)
  for key, value in pairs(options) do
    local wrong = problem(key, value)
    if wrong then
      vim.notify(("inplace-lsp: setup: %s."):format(wrong), vim.log.levels.WARN)
    else
      current[key] = value
    end
  end
end

---@return inplace.Settings
function M.get()
  return current
end

return M

--- What the server is doing: said in the message line, and kept for a status line.
local M = {}

---@class inplace.Work
---@field title string
---@field words string

---@type table<string, inplace.Work>
local under_way = {}

---@param value table
---@return string
local function words(value)
  local parts = { value.message, value.percentage and value.percentage > 0 and value.percentage .. " %" or nil }
  return table.concat(vim.tbl_values(parts), ", ")
end

---@return string
function M.status()
  local all = {}
  for _, work in pairs(under_way) do
    table.insert(all, work.words == "" and work.title or ("%s: %s"):format(work.title, work.words))
  end
  table.sort(all)
  return table.concat(all, "; ")
end

local function show()
  if require("inplace.settings").get().progress then
    local status = M.status()
    local line = status == "" and "" or "inplace-lsp: " .. status
    vim.api.nvim_echo({ { line:sub(1, math.max(vim.o.columns - 12, 1)) } }, false, {})
  end
end

--- Take one message of `$/progress`.
---@param key string the client and the token
---@param value table
function M.take(key, value)
  if value.kind == "end" then
    under_way[key] = nil
  elseif value.kind == "begin" then
    under_way[key] = { title = value.title, words = words(value) }
  elseif under_way[key] then
    under_way[key].words = words(value)
  end
  show()
end

--- Forget what a server that is gone had begun.
---@param client_id integer
local function forget(client_id)
  for key in pairs(under_way) do
    if vim.startswith(key, client_id .. "/") then
      under_way[key] = nil
    end
  end
end

--- Listen to the server from now on.
function M.enable()
  local group = vim.api.nvim_create_augroup("inplace-progress", {})
  vim.api.nvim_create_autocmd("LspProgress", {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == require("inplace.client").NAME then
        M.take(("%d/%s"):format(client.id, event.data.params.token), event.data.params.value)
      end
    end,
  })
  vim.api.nvim_create_autocmd("LspDetach", {
    group = group,
    callback = function(event)
      forget(event.data.client_id)
    end,
  })
end

return M

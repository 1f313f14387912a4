--- Whether the code of a folder may be run. To verify runs it; nothing else does.
---
--- The setting `trusted` decides; without it the user is asked until they say yes for a folder. What was answered "always"
--- is kept in a file, one folder a line; all else is forgotten when Neovim ends.
local M = {}

---@type table<string, boolean>
local answers = {}

local function kept_file()
  return vim.fs.joinpath(vim.fn.stdpath("state"), "inplace", "trusted")
end

---@return string[]
local function kept()
  local file = kept_file()
  return vim.fn.filereadable(file) == 1 and vim.fn.readfile(file) or {}
end

---@param folder string
---@param always boolean
local function keep(folder, always)
  local folders = vim.tbl_filter(function(known)
    return known ~= folder
  end, kept())
  if always then
    table.insert(folders, folder)
  end
  vim.fn.mkdir(vim.fs.dirname(kept_file()), "p")
  vim.fn.writefile(folders, kept_file())
end

---@param folder? string
---@return boolean? answer nil: nobody has said
local function answer(folder)
  local set = require("inplace.settings").get().trusted
  if set ~= nil then
    return set
  end
  folder = folder and vim.fs.normalize(folder)
  if not folder then
    return nil
  end
  if answers[folder] == nil and vim.tbl_contains(kept(), folder) then
    answers[folder] = true
  end
  return answers[folder]
end

--- Whether the code of `folder` may be run, without asking.
---@param folder? string
---@return boolean
function M.is_granted(folder)
  return answer(folder) == true
end

--- What is known of a folder: true, false (the setting or `:InplaceTrust!` forbids it), or nil: the user will be asked.
---@param folder? string
---@return boolean?
function M.state(folder)
  return answer(folder)
end

---@param folder string
---@return boolean
local function ask(folder)
  local question = ("inplace-lsp: to verify runs the code of this folder with your rights. Trust it?\n%s"):format(folder)
  local choice = vim.fn.confirm(question, "&Yes, until Neovim ends\n&Always\n&No", 3, "Question")
  if choice == 0 or choice == 3 then -- <Esc> or No: the question comes again
    require("inplace.client").say("nothing was run; `:InplaceTrust` trusts the folder, `:InplaceTrust!` ends the questions.")
    return false
  end
  answers[vim.fs.normalize(folder)] = true
  if choice == 2 then
    keep(vim.fs.normalize(folder), true)
  end
  return true
end

---@param client vim.lsp.Client
---@param trusted boolean
local function tell(client, trusted)
  require("inplace.client").notify(client, "inplace/didChangeTrust", { trusted = trusted })
end

--- Whether the code of a buffer's folder may be run, after asking if need be. The server is told.
---@param client vim.lsp.Client
---@param bufnr integer
---@return boolean
function M.ensure(client, bufnr)
  local own = require("inplace.client")
  local folder = own.folder(client, bufnr)
  local trusted = answer(folder)
  if trusted == false then
    local by_setting = require("inplace.settings").get().trusted == false
    local how = by_setting and "your setting `trusted = false` forbids it" or "`:InplaceTrust` allows it"
    own.say(("to verify runs the code of %s, which is not trusted: %s."):format(folder, how), vim.log.levels.WARN)
  elseif trusted == nil then
    trusted = ask(folder)
  end
  tell(client, trusted)
  return trusted
end

--- Trust the folder of this buffer until Neovim ends, or no longer trust it, now and later.
---@param trusted boolean
function M.set(trusted)
  local own = require("inplace.client")
  local bufnr = vim.api.nvim_get_current_buf()
  local client = own.of(bufnr)
  if not client then
    return
  end
  if require("inplace.settings").get().trusted ~= nil then
    own.say("your setting `trusted` decides for all folders; take it out to decide for each.", vim.log.levels.WARN)
    return
  end
  local folder = vim.fs.normalize(own.folder(client, bufnr))
  answers[folder] = trusted
  if not trusted then
    keep(folder, false)
  end
  tell(client, trusted)
  own.say(("%s is %s."):format(folder, trusted and "trusted until Neovim ends" or "not trusted"))
end

return M

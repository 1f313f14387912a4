--- To verify: the function at the cursor is run under torch, by the server. It says itself what came out.
local M = {}

local client_of = require("inplace.client")

---@class inplace.Run
---@field client vim.lsp.Client
---@field token string

---@type inplace.Run?
local running
local count = 0

---@param verdict table
---@return boolean
local function wants_trace(verdict)
  local when = require("inplace.settings").get().show_trace
  local bad = verdict.verdict == "confirmed" or verdict.verdict == "silent"
  return when == "always" or (when == "hazards" and bad)
end

--- Verify the function on the row (counted from 1) of a document, `arguments` being `{ uri, row }`.
---@param bufnr integer
---@param arguments any[]
function M.run(bufnr, arguments)
  local client = client_of.of(bufnr)
  if not client then
    return
  end
  if running then
    client_of.say("a function is being verified already; `:InplaceVerify!` stops that.", vim.log.levels.WARN)
    return
  end
  if not require("inplace.trust").ensure(client, bufnr) then
    return
  end
  count = count + 1
  local run = { client = client, token = ("inplace-verify-%d"):format(count) }
  running = run
  local params = { command = client_of.VERIFY, arguments = arguments, workDoneToken = run.token }
  client_of.request(client, "workspace/executeCommand", params, bufnr, function(verdict)
    running = nil
    if verdict and wants_trace(verdict) then
      require("inplace.trace").open(bufnr, { line = arguments[2] - 1, character = 0 }, "observed")
    end
  end)
end

--- Verify the function at the cursor.
function M.at_cursor()
  local bufnr = vim.api.nvim_get_current_buf()
  M.run(bufnr, { vim.uri_from_bufnr(bufnr), vim.api.nvim_win_get_cursor(0)[1] })
end

--- Stop the run that is under way.
function M.cancel()
  if not running then
    client_of.say("nothing is being verified.")
    return
  end
  client_of.notify(running.client, "window/workDoneProgress/cancel", { token = running.token })
end

--- A server that is gone answers no more.
vim.api.nvim_create_autocmd("LspDetach", {
  group = vim.api.nvim_create_augroup("inplace-verify", {}),
  callback = function(event)
    if running and running.client.id == event.data.client_id then
      running = nil
    end
  end,
})

return M

--- To verify: the function at the cursor is run under torch, by the server.
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
local function is_bad(verdict)
  return verdict.verdict == "confirmed" or verdict.verdict == "silent"
end

---@param verdict table
---@return boolean
local function wants_trace(verdict)
  local when = require("inplace.settings").get().show_trace
  return when == "always" or (when == "hazards" and is_bad(verdict))
end

--- Say what came out. Where the trace says more, one line does: a longer message would wait for Enter before it.
---@param verdict table
---@param is_traced boolean
local function say(verdict, is_traced)
  local words = verdict.message
  local room = vim.o.columns - #"inplace-lsp: " - 20 -- the command line shows other things at its end
  if is_traced and vim.fn.strdisplaywidth(words) > room then
    words = vim.fn.strcharpart(words, 0, room - 1) .. "…"
  end
  client_of.say(words, is_bad(verdict) and vim.log.levels.WARN or vim.log.levels.INFO)
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
    local is_traced = verdict and wants_trace(verdict)
    if verdict and not verdict.shown then
      say(verdict, is_traced)
    end
    if is_traced then
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

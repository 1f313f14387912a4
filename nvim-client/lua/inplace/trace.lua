--- The trace: what happened to the tensors of a function, event by event, beside the lines where it happened.
local M = {}

local client_of = require("inplace.client")

M.SOURCES = { "best", "observed", "predicted" }

local lit = vim.api.nvim_create_namespace("inplace-trace")

---@class inplace.Row
---@field uri string
---@field line integer 0-based, in the document
---@field event integer
---@field contentLine integer 0-based, in the text of the trace

---@class inplace.Trace
---@field title string
---@field source "predicted"|"observed"
---@field content string
---@field rows inplace.Row[]

--- The first event that each line of the trace shows.
---@param rows inplace.Row[]
---@return table<integer, inplace.Row>
local function by_line(rows)
  local found = {}
  for _, row in ipairs(rows) do
    found[row.contentLine] = found[row.contentLine] or row
  end
  return found
end

---@param row inplace.Row
local function light(row)
  local bufnr = vim.fn.bufnr(vim.uri_to_fname(row.uri))
  if bufnr ~= -1 and vim.api.nvim_buf_is_loaded(bufnr) and row.line < vim.api.nvim_buf_line_count(bufnr) then
    vim.api.nvim_buf_set_extmark(bufnr, lit, row.line, 0, { line_hl_group = "Visual" })
  end
end

local function unlight()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    vim.api.nvim_buf_clear_namespace(bufnr, lit, 0, -1)
  end
end

--- Go to the line of an event, in the window that the trace was asked for in.
---@param row inplace.Row
---@param window integer
---@param encoding string
local function jump(row, window, encoding)
  if vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_set_current_win(window)
  end
  local start = { line = row.line, character = 0 }
  vim.lsp.util.show_document({ uri = row.uri, range = { start = start, ["end"] = start } }, encoding, { focus = true })
  vim.cmd("normal! ^zv")
end

--- Show a trace; <CR> goes to the line of the event, whose line is lit while the cursor is on it.
---@param trace inplace.Trace
---@param from integer the window to jump in
---@param encoding string
local function show(trace, from, encoding)
  local place = require("inplace.settings").get().trace_window
  local rows = by_line(trace.rows)
  local lines = vim.split(trace.content, "\n", { trimempty = true })
  local title = ("%s (%s)"):format(trace.title, trace.source)
  local window, bufnr = require("inplace.window").show({
    title = title,
    lines = lines,
    filetype = "inplace-trace",
    place = place,
  })
  local function under_cursor()
    return rows[vim.api.nvim_win_get_cursor(window)[1] - 1]
  end
  vim.keymap.set("n", "<CR>", function()
    local row = under_cursor()
    if row and place == "float" then
      vim.api.nvim_win_close(window, true)
    end
    if row then
      jump(row, from, encoding)
    end
  end, { buffer = bufnr, nowait = true, desc = "Go to the line of this event" })
  vim.api.nvim_create_autocmd("CursorMoved", {
    buffer = bufnr,
    callback = function()
      unlight()
      local row = under_cursor()
      if row then
        light(row)
      end
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", { buffer = bufnr, callback = unlight })
end

--- Ask for the trace of the function at a position and show it.
---@param bufnr integer
---@param position { line: integer, character: integer }
---@param source string one of `SOURCES`
function M.open(bufnr, position, source)
  local client = client_of.of(bufnr)
  if not client then
    return
  end
  local from = vim.api.nvim_get_current_win()
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    position = position,
    source = source,
    format = "text",
    width = require("inplace.window").columns(require("inplace.settings").get().trace_window),
  }
  client_of.request(client, "inplace/trace", params, bufnr, function(trace)
    if trace then
      show(trace, from, client.offset_encoding)
    else
      client_of.say("there is no such trace here: put the cursor into a function that computes with tensors.")
    end
  end)
end

--- The trace of the function at the cursor.
---@param source? string one of `SOURCES`; "" and nil: the observed one if there is one, else the predicted
function M.at_cursor(source)
  source = (source == nil or source == "") and "best" or source
  if not vim.tbl_contains(M.SOURCES, source) then
    client_of.say(("a trace is one of %s, not %q."):format(table.concat(M.SOURCES, ", "), source), vim.log.levels.WARN)
    return
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of.of(bufnr)
  if client then
    M.open(bufnr, client_of.position(client).position, source)
  end
end

return M

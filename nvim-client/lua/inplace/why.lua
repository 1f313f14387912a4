--- From an error of torch's to the line that wrote: the candidates are the quickfix list, with their reasons in a window.
local M = {}

local client_of = require("inplace.client")

--- So many lines of a terminal are read, from its end.
local TERMINAL_LINES = 2000

---@class inplace.Candidate
---@field uri? string
---@field range? lsp.Range
---@field code string
---@field message string

--- What a quickfix or location list shows, or nil where the window has none.
---@return string?
local function of_list()
  if vim.bo.buftype ~= "quickfix" then
    return nil
  end
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

--- The text with the error: of the lines given, of a register, of the terminal or list that the cursor is in, else of
--- the clipboard or of what was yanked last.
---@param register string
---@param range? { [1]: integer, [2]: integer } rows, counted from 1
---@return string
local function text_of(register, range)
  if range then
    return table.concat(vim.api.nvim_buf_get_lines(0, range[1] - 1, range[2], false), "\n")
  end
  if register ~= "" then
    return vim.fn.getreg(register)
  end
  if vim.bo.buftype == "terminal" then
    return table.concat(vim.api.nvim_buf_get_lines(0, -TERMINAL_LINES, -1, false), "\n")
  end
  local list = of_list()
  if list then
    return list
  end
  local copied = vim.fn.has("clipboard") == 1 and vim.fn.getreg("+") or ""
  return copied ~= "" and copied or vim.fn.getreg('"')
end

---@param candidates inplace.Candidate[]
---@param encoding string
---@return table[]
local function as_items(candidates, encoding)
  local items = {}
  for _, candidate in ipairs(candidates) do
    if candidate.uri then
      local place = vim.lsp.util.locations_to_items({ { uri = candidate.uri, range = candidate.range } }, encoding)[1]
      place.text = ("%s: %s"):format(candidate.code, candidate.message)
      items[#items + 1] = place
    end
  end
  return items
end

---@param answer { text: string, candidates: inplace.Candidate[] }
---@param encoding string
local function show(answer, encoding)
  local items = as_items(answer.candidates, encoding)
  if #items > 0 then
    vim.fn.setqflist({}, " ", { title = "inplace-lsp: why", items = items })
  end
  local lines = vim.split(answer.text, "\n", { trimempty = true })
  local window, page =
    require("inplace.window").show({ title = "Why", lines = lines, filetype = "inplace-why", place = "float" })
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  if #items > 0 then
    vim.keymap.set("n", "<CR>", function()
      vim.api.nvim_win_close(window, true)
      vim.cmd.cfirst()
    end, { buffer = page, nowait = true, desc = "Go to the likeliest cause" })
  end
end

--- The server to ask: that of the buffer, else any that runs, as in a terminal.
---@param bufnr integer
---@return vim.lsp.Client?
local function server(bufnr)
  local own = vim.lsp.get_clients({ name = client_of.NAME, bufnr = bufnr })[1]
  return own or client_of.running()[1]
end

--- Find the write behind the error in a register, in the lines `range`, or where people have it, see above.
---@param register string "" for none
---@param range? { [1]: integer, [2]: integer }
function M.find(register, range)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = server(bufnr)
  if not client then
    client_of.say("no server runs; open a Python file of the program that failed.", vim.log.levels.WARN)
    return
  end
  local text = text_of(register, range)
  local attached = next(client.attached_buffers) or bufnr
  local folder = client_of.folder(client, client.attached_buffers[bufnr] and bufnr or attached)
  local params = { text = text, folders = { vim.uri_from_fname(folder) } }
  client_of.request(client, "inplace/why", params, attached, function(answer)
    if answer then
      show(answer, client.offset_encoding)
    else
      client_of.say("that is not a PyTorch error about an in-place write; copy the whole message, with its traceback.")
    end
  end)
end

return M

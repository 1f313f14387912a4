--- Windows for texts that are only read.
local M = {}

---@class inplace.Page
---@field title string
---@field lines string[]
---@field filetype string
---@field place "float"|"split"|"vsplit"

---@param lines string[]
---@return integer
local function widest(lines)
  local width = 1
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return width
end

---@param page inplace.Page
---@return vim.api.keyset.win_config
local function floating(page)
  local width = math.min(math.max(widest(page.lines), #page.title + 2), M.columns("float"))
  local height = math.min(#page.lines, math.max(vim.o.lines - 6, 1))
  return {
    relative = "editor",
    width = width,
    height = height,
    row = math.max(math.floor((vim.o.lines - height) / 2) - 1, 0),
    col = math.max(math.floor((vim.o.columns - width) / 2) - 1, 0),
    style = "minimal",
    border = "rounded",
    title = " " .. page.title .. " ",
  }
end

--- How many columns a page at `place` has.
---@param place "float"|"split"|"vsplit"
---@return integer
function M.columns(place)
  if place == "float" then
    return math.max(vim.o.columns - 4, 1)
  end
  local width = vim.api.nvim_win_get_width(0)
  return place == "vsplit" and math.floor((width - 1) / 2) or width
end

--- Show a page and enter it; `q` closes it.
---@param page inplace.Page
---@return integer window
---@return integer buffer
function M.show(page)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, page.lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].bufhidden = "wipe"
  local window
  if page.place == "float" then
    window = vim.api.nvim_open_win(bufnr, true, floating(page))
  else
    local split = { split = page.place == "vsplit" and "right" or "below" }
    window = vim.api.nvim_open_win(bufnr, true, split)
    vim.wo[window].winbar = page.title:gsub("%%", "%%%%")
    vim.wo[window].number = false
    vim.wo[window].relativenumber = false
  end
  vim.wo[window].wrap = false
  vim.wo[window].cursorline = true
  vim.bo[bufnr].filetype = page.filetype
  vim.keymap.set("n", "q", function()
    vim.api.nvim_win_close(window, true)
  end, { buffer = bufnr, nowait = true, desc = "Close" })
  return window, bufnr
end

return M

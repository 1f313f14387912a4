--- The page of a code: what the hazard is, why it is one, and what to write instead.
local M = {}

local client_of = require("inplace.client")

--- The codes of the server's findings in this buffer, on one line (0-based) or on all.
---@param line? integer
---@return string[]
local function codes(line)
  local found = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    local here = line == nil or (diagnostic.lnum <= line and line <= (diagnostic.end_lnum or diagnostic.lnum))
    if diagnostic.source == "inplace-lsp" and diagnostic.code and here then
      found[tostring(diagnostic.code)] = true
    end
  end
  local sorted = vim.tbl_keys(found)
  table.sort(sorted)
  return sorted
end

---@param lead string
---@return string[]
function M.complete(lead)
  return vim.tbl_filter(function(code)
    return vim.startswith(code, lead:upper())
  end, codes())
end

---@param client vim.lsp.Client
---@param code string
local function ask(client, code)
  client_of.request(client, "inplace/explain", { code = code }, vim.api.nvim_get_current_buf(), function(page)
    if page then
      local lines = vim.split(page.markdown, "\n", { trimempty = true })
      local window =
        require("inplace.window").show({ title = page.title, lines = lines, filetype = "markdown", place = "float" })
      vim.wo[window].wrap = true
      vim.wo[window].linebreak = true
      vim.wo[window].conceallevel = 2
    end
  end)
end

--- Explain a code or a hazard's name; "": the finding on the line of the cursor.
---@param code string
function M.show(code)
  local client = client_of.of(vim.api.nvim_get_current_buf())
  if not client then
    return
  end
  if code ~= "" then
    ask(client, code)
    return
  end
  local here = codes(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if #here == 0 then
    client_of.say("there is no finding on this line; name a code: `:InplaceExplain IP101`.")
  elseif #here == 1 then
    ask(client, here[1])
  else
    vim.ui.select(here, { prompt = "Explain which?" }, function(chosen)
      if chosen then
        ask(client, chosen)
      end
    end)
  end
end

return M

--- Where the server is: the command that starts it.
local M = {}

-- As `python -m inplace_lsp`, but without the current folder among the places that modules come from: a file `click.py`
-- of whatever folder Neovim was started in must not be run.
local MODULE = table.concat({
  "import os, sys",
  "here = os.path.realpath(os.curdir)",
  "sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) != here]",
  "import runpy",
  'runpy.run_module("inplace_lsp", run_name="__main__", alter_sys=True)',
}, "; ")

---@return string[]? command a Python that has the server installed
local function from_python()
  for _, name in ipairs({ "python3", "python" }) do
    local python = vim.fn.exepath(name)
    if python ~= "" then
      local found = vim.system({ python, "-c", MODULE, "--version" }, { text = true }):wait(10000)
      if found.code == 0 then
        return { python, "-c", MODULE, "serve" }
      end
    end
  end
end

---@type string[]?
local remembered

--- The command that starts the server: the user's, `inplace-lsp` of the PATH, or the module of the PATH's Python.
---@return string[]? command nil if there is none
function M.command()
  local set = require("inplace.settings").get().cmd
  if set then
    return set
  end
  if vim.fn.executable("inplace-lsp") == 1 then
    return { vim.fn.exepath("inplace-lsp"), "serve" }
  end
  remembered = remembered or from_python()
  return remembered
end

--- What to do when there is none.
M.MISSING = "the server was not found: pip install inplace-lsp, or name its command: "
  .. 'require("inplace").setup({ cmd = { "/path/to/inplace-lsp", "serve" } })'

--- The version of the server that `command` starts, or what went wrong.
---@param command string[]
---@return string? version
---@return string? problem
function M.version(command)
  local asked = vim.list_slice(command)
  for at, word in ipairs(asked) do
    if word == "serve" then
      asked = vim.list_slice(asked, 1, at - 1)
      break
    end
  end
  table.insert(asked, "--version")
  local ran, run = pcall(vim.system, asked, { text = true })
  if not ran then
    return nil, ("%s cannot be started"):format(command[1])
  end
  local out = run:wait(10000)
  if out.code ~= 0 then
    return nil, vim.trim(out.stderr ~= "" and out.stderr or ("it ended with status " .. out.code))
  end
  return vim.trim(out.stdout)
end

return M

--- `:checkhealth inplace`
local M = {}

local health = vim.health

local function neovim()
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.10") == 1 then
    health.ok("Neovim " .. version)
  else
    health.error(("Neovim %s: 0.10 or later is needed"):format(version))
  end
end

local function server()
  local own = require("inplace.server")
  local command = own.command()
  if not command then
    health.error(own.MISSING)
    return
  end
  local version, wrong = own.version(command)
  local shown = table.concat(command, " ")
  if version then
    health.ok(("server: %s (%s)"):format(version, shown))
  else
    health.error(("the server does not start: %s (%s)"):format(wrong, shown), { "pip install inplace-lsp" })
  end
end

---@return string[] folders of the servers that run
local function running()
  local clients = require("inplace.client").running()
  local folders = {}
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    table.insert(folders, client.config.root_dir or nil)
    local where = client.config.root_dir or "files outside of any project"
    health.ok(("running for %s: %d buffer%s"):format(where, buffers, buffers == 1 and "" or "s"))
  end
  if #clients == 0 then
    health.info("not running: it starts with the first Python buffer")
  end
  health.info("log: " .. vim.lsp.get_log_path())
  return folders
end

-- The order in which the server looks for the Python that runs verified code.
---@param folder? string
---@return string? python
---@return string? why_not
local function interpreter(folder)
  local set = require("inplace.settings").get().interpreter
  if set then
    local inside = vim.fs.joinpath(set, "bin", "python")
    return vim.fn.executable(inside) == 1 and inside or set
  end
  if vim.env.VIRTUAL_ENV then
    return vim.fs.joinpath(vim.env.VIRTUAL_ENV, "bin", "python")
  end
  for _, name in ipairs(folder and { ".venv", "venv" } or {}) do
    local python = vim.fs.joinpath(folder, name, "bin", "python")
    if vim.fn.executable(python) == 1 then
      if require("inplace.trust").is_granted(folder) then
        return python
      end
      return nil, ("%s was not looked at: its folder is not trusted (`:InplaceTrust`)"):format(python)
    end
  end
  return vim.fn.exepath("python3")
end

local ASK = table.concat({
  "import importlib.metadata, importlib.util, platform",
  "print(platform.python_version(), importlib.metadata.version('torch') if importlib.util.find_spec('torch') else '-')",
}, "; ")

---@param folder? string
local function verifying(folder)
  local python, why_not = interpreter(folder)
  if not python then
    health.info(why_not or "no Python was found")
    return
  end
  local ran, run = pcall(vim.system, { python, "-I", "-c", ASK }, { text = true })
  local out = ran and run:wait(20000)
  local version, torch = (out and out.stdout or ""):match("^(%S+) (%S+)")
  if not version then
    health.error(("Python for verify: %s does not run"):format(python), { "set `interpreter` in setup()" })
    return
  end
  local name = ("Python for verify: %s (%s)"):format(version, python)
  if vim.version.lt(version, "3.10") then
    health.warn(name .. ": 3.10 or later is needed to verify")
  else
    health.ok(name)
  end
  if torch == "-" then
    health.warn("torch is not installed there: all but verify works", { ("%s -m pip install torch"):format(python) })
  else
    health.ok("torch for verify: " .. torch)
  end
end

---@param folder? string
local function trust(folder)
  local where = folder or "files outside of any project"
  local by_setting = require("inplace.settings").get().trusted ~= nil
  local state = require("inplace.trust").state(folder)
  if by_setting then
    local words = ("%s, by your setting `trusted`"):format(state and "all folders are trusted" or "no folder is trusted")
    health[state and "ok" or "info"](words)
  elseif state then
    health.ok("trusted: " .. where)
  elseif state == false then
    health.info(("not trusted, by `:InplaceTrust!`: %s; `:InplaceTrust` takes that back"):format(where))
  else
    health.info(("not trusted yet: %s; `:InplaceVerify` asks before it runs code"):format(where))
  end
end

function M.check()
  health.start("inplace-lsp")
  neovim()
  server()
  local folders = running()
  health.start("inplace-lsp: verify")
  for at = 1, math.max(1, #folders) do
    trust(folders[at])
    verifying(folders[at])
  end
end

return M

--- The client: its configuration, starting, restarting, asking.
local M = {}

M.NAME = "inplace"
M.VERIFY = "inplace-lsp.verify"

local GRACE_MS = 3000

--- Call a method of a client. Before 0.11 they were plain functions.
local function call(client, method, ...)
  if vim.fn.has("nvim-0.11") == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

---@param words string
---@param level? integer
function M.say(words, level)
  vim.notify("inplace-lsp: " .. words, level or vim.log.levels.INFO)
end

local told_missing = false

---@return boolean found
local function has_server()
  local configured = vim.lsp.config and vim.lsp.config[M.NAME].cmd
  if type(configured) == "table" or require("inplace.server").command() then
    told_missing = false
    return true
  end
  if not told_missing then
    told_missing = true
    M.say(require("inplace.server").MISSING, vim.log.levels.WARN)
  end
  return false
end

--- What `initialize` brings the server. What stands in the configuration goes over what stands in the settings.
local function before_init(params, config)
  local settings = require("inplace.settings").get()
  local own = vim.tbl_extend("force", settings.server, {
    interpreter = settings.interpreter,
    trusted = require("inplace.trust").is_granted(config.root_dir),
    tellsVerdicts = true,
  })
  params.initializationOptions = vim.tbl_deep_extend("force", own, params.initializationOptions or {})
end

--- The configuration, as `vim.lsp.config` and `vim.lsp.start` take it.
---@return table
function M.config()
  return {
    cmd = function(dispatchers)
      return vim.lsp.rpc.start(assert(require("inplace.server").command()), dispatchers)
    end,
    filetypes = { "python" },
    root_dir = function(bufnr, on_dir)
      if has_server() then
        on_dir(vim.fs.root(bufnr, require("inplace.settings").get().root_markers))
      end
    end,
    before_init = before_init,
    commands = {
      [M.VERIFY] = function(command, context)
        require("inplace.verify").run(context.bufnr, command.arguments)
      end,
    },
  }
end

--- Start the server for Python buffers, those that are open and those to come.
function M.enable()
  if vim.lsp.enable then
    vim.lsp.enable(M.NAME)
    return
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("inplace", {}),
    pattern = M.config().filetypes,
    callback = function(event)
      if vim.bo[event.buf].buftype == "" then
        M.start(event.buf)
      end
    end,
  })
end

--- Start the server for a buffer, or attach the buffer to the server of its project.
---@param bufnr integer
function M.start(bufnr)
  local config = vim.lsp.config and vim.deepcopy(vim.lsp.config[M.NAME]) or M.config()
  local function start(root)
    config.name, config.root_dir = M.NAME, root
    vim.lsp.start(config, { bufnr = bufnr })
  end
  if type(config.root_dir) == "function" then
    config.root_dir(bufnr, start)
  else
    start(config.root_dir)
  end
end

---@return vim.lsp.Client[]
function M.running()
  return vim.lsp.get_clients({ name = M.NAME })
end

--- The client of a buffer; if there is none, says so.
---@param bufnr integer
---@return vim.lsp.Client?
function M.of(bufnr)
  local client = vim.lsp.get_clients({ name = M.NAME, bufnr = bufnr })[1]
  if not client then
    M.say("the server does not run for this buffer; `:checkhealth inplace` tells why.", vim.log.levels.WARN)
  end
  return client
end

--- The folder that a buffer belongs to: its project, or where its file lies.
---@param client vim.lsp.Client
---@param bufnr integer
---@return string
function M.folder(client, bufnr)
  return client.config.root_dir or vim.fs.dirname(vim.api.nvim_buf_get_name(bufnr))
end

--- Ask the server. An error is one message; `on_result` gets what came, which may be nil.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param bufnr integer
---@param on_result fun(result: any)
function M.request(client, method, params, bufnr, on_result)
  call(client, "request", method, params, function(problem, result)
    if problem then
      M.say(problem.message or tostring(problem), vim.log.levels.WARN)
    end
    on_result(not problem and result ~= vim.NIL and result or nil)
  end, bufnr)
end

---@param client vim.lsp.Client
---@param method string
---@param params table
function M.notify(client, method, params)
  call(client, "notify", method, params)
end

--- Where the cursor is, as the server of `client` counts.
---@param client vim.lsp.Client
---@return table
function M.position(client)
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
end

---@param client vim.lsp.Client
local function stop(client)
  call(client, "stop")
  local stopped = vim.wait(GRACE_MS, function()
    return vim.lsp.get_client_by_id(client.id) == nil
  end, 20)
  if not stopped then
    call(client, "stop", true)
  end
end

--- Stop all servers and start them again for the buffers they served; start one for this buffer if it had none.
function M.restart()
  local buffers = {}
  for _, client in ipairs(M.running()) do
    for bufnr in pairs(client.attached_buffers) do
      buffers[bufnr] = true
    end
    stop(client)
  end
  if vim.bo.filetype == "python" then
    buffers[vim.api.nvim_get_current_buf()] = true
  end
  for bufnr in pairs(buffers) do
    M.start(bufnr)
  end
end

return M

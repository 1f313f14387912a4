-- What Neovim declares: nvim --headless --clean -l record_neovim.lua OUT.json
local out = assert(io.open(arg[1], "w"))
out:write(vim.json.encode(vim.lsp.protocol.make_client_capabilities()))
out:close()

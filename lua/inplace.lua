--- `require("inplace")` where this repository itself is on the runtimepath, as plugin managers put it there: the plugin
--- lies in nvim-client/, which is put there, too.
local client = vim.fs.joinpath(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h"), "nvim-client")

vim.opt.runtimepath:append(client)
if vim.fn.filereadable(vim.fs.joinpath(client, "doc", "tags")) == 0 then
  pcall(vim.cmd.helptags, vim.fs.joinpath(client, "doc")) -- a manager makes them in the root alone
end
return dofile(vim.fs.joinpath(client, "lua", "inplace", "init.lua"))

-- For plugin managers that clone this repository (lazy.nvim, vim.pack, ...): the plugin lies in nvim-client/.
require("inplace")
vim.cmd.runtime("nvim-client/plugin/inplace.lua")

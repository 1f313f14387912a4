-- What Neovim 0.11 and later read for `vim.lsp.enable("inplace")`.
return require("inplace.client").config()

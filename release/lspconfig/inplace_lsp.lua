---@brief
---
--- https://github.com/inplace-lsp/inplace-lsp
---
--- Finds the in-place writes that break PyTorch gradients.
---
--- ```sh
--- pip install inplace-lsp
--- ```
---
--- Verifying a function runs its code. The server refuses that unless you say that the workspace is trusted:
---
--- ```lua
--- vim.lsp.config('inplace_lsp', {
---   init_options = { trusted = true },
--- })
--- ```
---
--- [All settings](https://inplace-lsp.readthedocs.io/server/#settings).

---@type vim.lsp.Config
return {
  cmd = { 'inplace-lsp', 'serve' },
  filetypes = { 'python' },
  root_markers = { 'pyproject.toml', 'setup.py', 'setup.cfg', '.git' },
}

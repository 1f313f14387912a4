"""The plugin as managers install it: the root of this repository, cloned, is all that Neovim is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from editors.programs import PROGRAM, WRITE

ROOT = Path(__file__).parents[2]
LAZY = """
vim.opt.runtimepath:append(vim.fn.stdpath("data") .. "/site/pack/core/opt/inplace-lsp")
vim.cmd.runtime("plugin/inplace.lua")
require("inplace").setup({setup})
"""
"""What lazy.nvim does with `{ "inplace-lsp/inplace-lsp", opts = { ... } }`."""
PACK = """
vim.cmd("packadd! inplace-lsp")
require("inplace").setup({setup})
"""
"""What vim.pack.add does while init.lua is read: files of plugin/ are sourced later."""


@pytest.mark.parametrize("init_text", [LAZY, PACK], ids=["lazy", "pack"])
def test_a_manager_gives_it_the_root_of_the_repository(init_text: str, open_neovim, tmp_path: Path):
    folder = tmp_path / "data" / "nvim" / "site" / "pack" / "core" / "opt" / "inplace-lsp"
    folder.mkdir(parents=True)
    for name in ("lua", "plugin", "nvim-client"):
        (folder / name).symlink_to(ROOT / name)
    nvim = open_neovim('{ show_trace = "never" }', init_text)
    nvim.edit("model.py", PROGRAM)
    (found,) = nvim.diagnostics()
    assert (found["code"], found["lnum"]) == ("IP101", WRITE - 1)
    assert nvim.lua("return vim.fn.exists(':InplaceVerify')") == 2
    assert nvim.lua("return require('inplace.settings').get().show_trace") == "never"
    assert nvim.lua("return vim.fn.getcompletion('inplace-settings', 'help')") == ["inplace-settings"]


LSPCONFIG = """
local config = dofile([[{plugin}/../release/lspconfig/inplace_lsp.lua]])
vim.api.nvim_create_autocmd("FileType", {{ pattern = config.filetypes, callback = function(args)
  vim.lsp.start({{ name = "inplace", cmd = config.cmd, root_dir = vim.fs.root(args.buf, config.root_markers) }})
end }})
"""
"""What nvim-lspconfig does with the file, without the plugin."""


def test_the_file_for_lspconfig_starts_the_server(open_neovim):
    nvim = open_neovim("{}", LSPCONFIG)
    nvim.edit("model.py", PROGRAM)
    (found,) = nvim.diagnostics()
    assert (found["code"], found["lnum"]) == ("IP101", WRITE - 1)
    assert nvim.lua("return vim.lsp.get_clients({ name = 'inplace' })[1].root_dir") == str(nvim.folder)

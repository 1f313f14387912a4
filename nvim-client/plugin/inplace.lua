if vim.g.loaded_inplace then
  return
end
vim.g.loaded_inplace = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.notify("inplace-lsp: Neovim 0.10 or later is needed.", vim.log.levels.ERROR)
  return
end

local command = vim.api.nvim_create_user_command

command("InplaceVerify", function(opts)
  local verify = require("inplace.verify")
  if opts.bang then
    verify.cancel()
  else
    verify.at_cursor()
  end
end, { bang = true, desc = "Run the function at the cursor under torch; with !, stop that" })

command("InplaceTrace", function(opts)
  require("inplace.trace").at_cursor(opts.args)
end, {
  nargs = "?",
  complete = function(lead)
    return vim.tbl_filter(function(source)
      return vim.startswith(source, lead)
    end, require("inplace.trace").SOURCES)
  end,
  desc = "Show the version-counter trace of the function at the cursor",
})

command("InplaceExplain", function(opts)
  require("inplace.explain").show(opts.args)
end, {
  nargs = "?",
  complete = function(lead)
    return require("inplace.explain").complete(lead)
  end,
  desc = "Explain the finding at the cursor, or a code",
})

command("InplaceWhy", function(opts)
  require("inplace.why").find(opts.args, opts.range > 0 and { opts.line1, opts.line2 } or nil)
end, {
  nargs = "?",
  range = true,
  desc = "Find the write behind torch's error: in the range, in a register, in this terminal or list, or copied",
})

command("InplaceTrust", function(opts)
  require("inplace.trust").set(not opts.bang)
end, { bang = true, desc = "Trust the folder, so that its code may be verified; with !, no longer" })

command("InplaceRestart", function()
  require("inplace.client").restart()
end, { desc = "Restart the server" })

require("inplace.client").enable()
require("inplace.progress").enable()

" What tests/editors/test_others.py has Vim do.
" vim -Nu VIMRC -es -S ale.vim; in the environment: PROGRAM, LOG (files), VERIFY, REPAIR (numbers of code actions)
func! Say(words)
  call writefile(split(a:words, "\n"), $LOG, 'a')
endfunc

func! Wait(what, Condition)
  let start = reltime()
  while !a:Condition()
    if reltimefloat(reltime(start)) > 60
      throw 'timed out: ' . a:what
    endif
    sleep 50m
  endwhile
endfunc

func! Findings()
  return ale#engine#GetLoclist(bufnr($PROGRAM))
endfunc

func! Choose(number)
  call cursor(Findings()[0].lnum, Findings()[0].col)
  call feedkeys(a:number . "\<CR>", 't')
  ALECodeAction
endfunc

try
  let g:ale_hover_to_preview = 1
  edit $PROGRAM
  ALELint
  call Wait('a finding', {-> !empty(Findings())})
  call Say('finding: ' . Findings()[0].code . ' ' . Findings()[0].text)
  call Say(printf('underlined: %d:%d-%d', Findings()[0].lnum, Findings()[0].col, Findings()[0].end_col))
  call cursor(Findings()[0].lnum, Findings()[0].col)
  ALEHover
  call Wait('the hover', {-> !empty(filter(getbufinfo(), {_, b -> match(getbufline(b.bufnr, 1, '$'), 'line 5 .*sigmoid saves y') >= 0}))})
  execute 'buffer' $PROGRAM
  call Choose($VERIFY)
  call Wait('the verdict', {-> !empty(Findings()) && Findings()[0].text =~# 'Confirmed by running'})
  call Say('verified')
  call Choose($REPAIR)
  call Wait('the edit', {-> &modified})
  silent write
  call Wait('the repair', {-> empty(Findings())})
catch
  call Say(v:exception . ' at ' . v:throwpoint)
endtry
qall!

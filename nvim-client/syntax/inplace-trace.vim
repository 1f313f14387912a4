" The trace of inplace-lsp: the headline, the table's title, and the line that joins save, write and check.
if exists("b:current_syntax")
  finish
endif
syntax match inplaceTraceHeadline /\%1l.*\|\%<5l^\S.*/
syntax match inplaceTraceTitle /^ \+line  .*what happens.*/
syntax match inplaceTraceSave /^╭─●.*/
syntax match inplaceTraceWrite /^├─▶.*/
syntax match inplaceTraceCheck /^\%(╰\|─\)─✗.*/
syntax match inplaceTraceFold /^.\{4\} *\.\.\. .*/
highlight default link inplaceTraceHeadline Title
highlight default link inplaceTraceTitle Comment
highlight default link inplaceTraceSave DiagnosticInfo
highlight default link inplaceTraceWrite DiagnosticWarn
highlight default link inplaceTraceCheck DiagnosticError
highlight default link inplaceTraceFold Comment
let b:current_syntax = "inplace-trace"

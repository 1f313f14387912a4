"""Runs in the user's interpreter, with torch and the standard library only: `recorder.observe` and `observe_program`.

A plain run, whose outcome is the truth, and a recorded run, whose parts are one file each: the calls of torch
(`calls`, `naming`), the writes (`writes`, `exports`), what ops keep (`saves`), backward (`walks`, `graph`), what
functions return (`returns`), who is who (`heap`), where it stands in the source (`places`), and the tape (`log`).
"""

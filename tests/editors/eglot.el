;;; What tests/editors/test_others.py has Emacs do. -*- lexical-binding: t -*-
;; emacs -q --batch -l eglot.el; in the environment: CONFIGURATION, PROGRAM (files), REPAIR (the title of a code action)
(require 'package)
(package-initialize)
(require 'eglot)
(load (getenv "CONFIGURATION"))
(remove-hook 'python-mode-hook #'eglot-ensure) ; which waits for the command loop; batch mode has none
(setq eglot-sync-connect 60
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil
      create-lockfiles nil
      last-nonmenu-event ?a) ; menus ask in the minibuffer, not by a pop-up

(defun wait (what condition)
  "Wait for CONDITION, at most a minute, else fail with WHAT."
  (let ((end (+ (float-time) 60)) value)
    (while (and (not (setq value (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or value (error "timed out: %s" what))))

(defun finding ()
  "The first finding as it is shown now."
  (flymake-start)
  (accept-process-output nil 0.2)
  (car (flymake-diagnostics)))

(defun choose (title)
  "Have the code action TITLE done."
  (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) title)))
    (eglot-code-actions (point) nil nil t)))

(switch-to-buffer (find-file-noselect (getenv "PROGRAM")))
(apply #'eglot--connect (eglot--guess-contact))
(wait "the server" #'eglot-managed-p)
(flymake-mode 1)
(let ((found (wait "a finding" #'finding)))
  (message "finding: %s" (flymake-diagnostic-text found))
  (message "underlined: %s" (buffer-substring (flymake-diagnostic-beg found) (flymake-diagnostic-end found)))
  (goto-char (flymake-diagnostic-beg found)))
(let (story)
  (eglot-hover-eldoc-function (lambda (text &rest _) (setq story text)))
  (wait "the hover" (lambda () story))
  (message "hover: %s" (substring-no-properties story)))
(choose "Verify by running")
(wait "the verdict" (lambda ()
                      (let ((found (finding)))
                        (and found (string-match-p "Confirmed by running" (flymake-diagnostic-text found))))))
(message "verified")
(choose (getenv "REPAIR"))
(save-buffer) ; batch mode is never idle, so that eglot tells of the edit only now
(wait "the repair" (lambda () (not (finding))))
(eglot-shutdown (eglot-current-server))

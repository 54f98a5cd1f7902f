@echo off
rem The Windows twin of the launcher beside it.
setlocal DisableDelayedExpansion
set "found="
for %%P in (ckpt.exe) do set "found=%%~$PATH:P"
if defined found goto run
if not defined CARGO_HOME set "CARGO_HOME=%USERPROFILE%\.cargo"
for %%D in ("%CARGO_HOME%\bin" "%USERPROFILE%\.local\bin" "%USERPROFILE%\scoop\shims" "%LOCALAPPDATA%\Microsoft\WinGet\Links" "%ProgramData%\chocolatey\bin") do if not defined found if exist "%%~D\ckpt.exe" set "found=%%~D\ckpt.exe"
if defined found goto run

set "missing=session-checkpoint: ckpt is not installed, so nothing is saved; the README of the marketplace of this plugin says how to install it"
if "%~1"=="nudge" (
    "%SystemRoot%\System32\findstr.exe" /c:"\"hook_event_name\":\"SessionStart\"" >nul && echo {"systemMessage": "%missing%"}
    exit /b 0
)
if "%~1"=="guard" exit /b 0
>&2 echo %missing%
exit /b 127

:run
"%found%" %*
exit /b %ERRORLEVEL%

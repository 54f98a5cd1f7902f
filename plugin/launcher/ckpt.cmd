@echo off
rem The Windows twin of the launcher beside it. Batch files cannot resolve links, so of the search path only folders count
rem that no link leads to, with a ckpt that is none; in the usual folders of installers it is found all the same.
setlocal EnableExtensions DisableDelayedExpansion
set "found="
set "grounds=0"
for %%N in (1 2 3 4 5 6) do set "ground%%N="
set "base=%CD%"
call :ground
set "base=%CLAUDE_PROJECT_DIR%"
if defined base call :ground
set "base=%CHECKPOINT_PROJECT_ROOT%"
if defined base call :ground

set "folders=%PATH:"=%"
set "links=refused"
for %%D in ("%folders:;=" "%") do if not defined found (
    set "folder=%%~D"
    call :look
)
if not defined found if defined CARGO_HOME (
    set "folder=%CARGO_HOME%\bin"
    call :look
)
rem What installers put into the home folder stays in reach where that is itself the project or its repository.
for %%P in ("%USERPROFILE%\.") do set "home=%%~fP"
if /i "%ground1%"=="%home%" set "ground1="
if /i "%ground2%"=="%home%" set "ground2="
if /i "%ground3%"=="%home%" set "ground3="
if /i "%ground4%"=="%home%" set "ground4="
if /i "%ground5%"=="%home%" set "ground5="
if /i "%ground6%"=="%home%" set "ground6="
set "links=taken"
for %%D in ("%USERPROFILE%\.cargo\bin" "%USERPROFILE%\.local\bin" "%USERPROFILE%\scoop\shims" "%LOCALAPPDATA%\Microsoft\WinGet\Links" "%ProgramData%\chocolatey\bin") do if not defined found (
    set "folder=%%~D"
    call :look
)
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

rem Adds a project, and the top of the repository around it, to the folders of which nothing is run. The root of a drive
rem is nobody's project.
:ground
for %%P in ("%base%\.") do set "place=%%~fP"
set /a grounds+=1
if not "%place:~3%"=="" set "ground%grounds%=%place%"
:upwards
if exist "%place%\.git" goto top
for %%P in ("%place%\..") do set "above=%%~fP"
if "%above%"=="%place%" exit /b 0
set "place=%above%"
goto upwards
:top
set /a grounds+=1
if not "%place:~3%"=="" set "ground%grounds%=%place%"
exit /b 0

rem Sets `found` where a folder has a ckpt that may be run.
:look
if not "%folder:~1,2%"==":\" exit /b 0
if not exist "%folder%\ckpt.exe" exit /b 0
for %%P in ("%folder%\ckpt.exe") do set "program=%%~fP"
set "place=%program%"
:outwards
set "attributes="
for %%P in ("%place%") do set "attributes=%%~aP"
if "%links%"=="refused" if defined attributes if not "%attributes:l=%"=="%attributes%" exit /b 0
if /i "%place%"=="%ground1%" exit /b 0
if /i "%place%"=="%ground2%" exit /b 0
if /i "%place%"=="%ground3%" exit /b 0
if /i "%place%"=="%ground4%" exit /b 0
if /i "%place%"=="%ground5%" exit /b 0
if /i "%place%"=="%ground6%" exit /b 0
for %%P in ("%place%\..") do set "above=%%~fP"
if "%above%"=="%place%" goto outside
set "place=%above%"
goto outwards
:outside
set "found=%program%"
exit /b 0

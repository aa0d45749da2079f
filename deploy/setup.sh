#!/bin/sh
# Install the parts that pip cannot: Python's venv module, Chromium for the browser tests, fonts for Hindi.
# On Debian as root it installs them; elsewhere it names the missing ones and stops.
set -eu

can_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {
    echo "Installing $* …"
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

need() { # need <what for> <Debian packages…>
    what=$1
    shift
    if can_apt; then
        apt_install "$@"
    else
        echo "$what is missing. Install it first; on Debian or Ubuntu: sudo apt-get install $*" >&2
        exit 1
    fi
}

# The one without a window is enough, and the fastest; not every release of Debian and Ubuntu has it.
find_chromium() { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome; }

install_chromium() {
    apt-get -qq update
    if apt-cache show chromium-headless-shell >/dev/null 2>&1; then apt_install chromium-headless-shell; else apt_install chromium; fi
}

case "$1" in
venv)
    python=$2
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "Python 3.11 or later is needed; $python is $("$python" --version 2>&1)." >&2
        echo "Name another with: make PYTHON=python3.12 run" >&2
        exit 1
    }
    "$python" -c 'import ensurepip, venv' 2>/dev/null || need "Python's venv module" python3-venv
    "$python" -m venv .venv
    ;;
browser)
    find_chromium >/dev/null || if can_apt; then install_chromium; else need "Chromium, for the browser tests," chromium; fi
    # Playwright has a Node.js of its own, which needs this library.
    .venv/bin/playwright --version >/dev/null 2>&1 || need "libatomic, for the browser tests," libatomic1
    if can_apt && { ! command -v fc-list >/dev/null 2>&1 || [ -z "$(fc-list :lang=hi)" ]; }; then
        apt_install fontconfig fonts-noto-core
    fi
    ;;
*)
    echo "usage: $0 venv PYTHON | browser" >&2
    exit 2
    ;;
esac

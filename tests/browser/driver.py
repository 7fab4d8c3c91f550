"""A headless Chromium of this system, driven by Selenium."""

import base64
import contextlib
import json
import pathlib
import re
import shutil
from collections.abc import Iterator
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVERS = ("chromedriver", "chromium.chromedriver")


def find_browser() -> tuple[str, str] | None:
    """Return the paths of a browser and of its driver; None if one of them is missing."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    driver = next((path for name in DRIVERS if (path := shutil.which(name))), None)
    return (browser, driver) if browser and driver else None


def open_browser(paths: tuple[str, str], width: int = 1280, height: int = 1000) -> WebDriver:
    """Start a browser that logs its requests and its errors."""
    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    # A container has neither a sandbox for root nor much shared memory, and no machine's fonts are smoothed alike.
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
    for flag in [*flags, f"--window-size={width},{height}", "--disable-background-networking"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(paths[1]))


def read_script(name: str) -> str:
    """Return the text of a script in this folder."""
    return pathlib.Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")


def wait_for_game(driver: WebDriver) -> None:
    """Wait until the explorer shows the chosen game. The page unpacks it beside its other work."""
    busy = (By.CSS_SELECTOR, '#explorer-app[aria-busy="true"]')
    WebDriverWait(driver, 20).until_not(lambda _: driver.find_elements(*busy))


def use_theme(driver: WebDriver, theme: str) -> None:
    """Make the system prefer ``light`` or ``dark``."""
    features = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


@contextlib.contextmanager
def screen(driver: WebDriver, width: int, height: int = 900, media: str = "") -> Iterator[None]:
    """Set the size of the window and, if asked, use the style sheet of ``print``. Wait until the page has followed.

    The page's script folds its contents on a narrow window. The browser tells the script before the next frame, which
    may come late on a busy machine.
    """
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media})
    driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def pages_on_paper(driver: WebDriver) -> int:
    """Return the number of A4 pages of the printed page, before anything is unfolded."""
    paper = {"preferCSSPageSize": True, "paperWidth": 8.27, "paperHeight": 11.69}
    data = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", paper)["data"])
    return len(re.findall(rb"/Type\s*/Page\b", data))


def requests_of(driver: WebDriver) -> list[str]:
    """Return every address that was requested since the last call."""
    entries: list[Any] = driver.get_log("performance")  # type: ignore[no-untyped-call]
    messages = [json.loads(entry["message"])["message"] for entry in entries]
    return [
        message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"
    ]


def address(path: pathlib.Path, fragment: str = "") -> str:
    """Return the address of a page on this machine."""
    return path.resolve().as_uri() + (f"#{fragment}" if fragment else "")

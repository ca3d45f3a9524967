"""A minimal WebDriver client: Chromium through chromedriver, with Python's standard library only."""

import base64
import json
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]


def programs():
    """Chromium and chromedriver, or None for those that are missing."""
    return shutil.which("chromium") or shutil.which("chromium-browser"), shutil.which("chromedriver")


class Browser:
    def __init__(self, width=1200, height=900, dark=False):
        chromium, driver = programs()
        self.folder = tempfile.mkdtemp(prefix="rfs-browser-")
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            for line in self.driver.stdout:
                if "started successfully on port" in line:
                    self.base = "http://127.0.0.1:%d" % int(line.rstrip(". \n").rsplit(" ", 1)[1])
                    break
            flags = FLAGS + ["--user-data-dir=" + self.folder, f"--window-size={width},{height}"]
            if dark:
                flags += ["--blink-settings=preferredColorScheme=0"]
            options = {"binary": chromium, "args": flags, "perfLoggingPrefs": {"enableNetwork": True}}
            answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
            self.base += "/session/" + answer["sessionId"]
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            if "/session/" in getattr(self, "base", ""):
                self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(10)
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} {path}: {json.load(error)['value']['message']}") from None

    def open(self, target):
        self.call("POST", "/url", {"url": target.resolve().as_uri() if isinstance(target, pathlib.Path) else target})

    def resize(self, width, height, phone=False):
        """A window of this size. Chromium's windows are at least 500 pixels wide, so a phone's screen is emulated."""
        self.command("Emulation.setDeviceMetricsOverride",
                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone})

    def command(self, name, parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def script(self, text, *arguments):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def all(self, selector):
        return self.call("POST", "/elements", {"using": "css selector", "value": selector})

    def one(self, selector):
        found = self.all(selector)
        assert found, f"no element {selector}"
        return found[0]

    def text(self, selector):
        return self.call("GET", f"/element/{self.one(selector)[ELEMENT]}/text")

    def hover(self, element, click=False, x=0, y=0):
        """Moves the pointer to the middle of an element, or (x, y) pixels from it, and clicks there."""
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        steps = [{"type": "pointerMove", "duration": 0, "origin": element, "x": x, "y": y}]
        if click:
            steps += [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": steps}]})

    def click(self, element):
        self.hover(element, click=True)

    def press(self, key):
        self.call("POST", "/actions", {"actions": [
            {"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def screenshot(self, file, whole=True):
        if whole:
            picture = self.command("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
        else:
            picture = self.call("GET", "/screenshot")
        pathlib.Path(file).write_bytes(base64.b64decode(picture))

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def complaints(self):
        """Errors and warnings on the console."""
        return [entry["message"] for entry in self.log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The URLs that the page has asked for."""
        messages = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        return [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]

    def wait(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not (value := condition()):
            assert time.monotonic() < end, "the page did not get there in time"
            time.sleep(0.1)
        return value

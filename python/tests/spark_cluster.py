"""A small cluster of Spark on this machine, with executors of their own, and its processes to kill."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import support

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    # The allocator of pyarrow reserves more addresses than a limit of them leaves.
    "spark.executorEnv.ARROW_DEFAULT_MEMORY_POOL": "system",
    # Failures of this test are on purpose, and are many.
    "spark.task.maxFailures": "8",
}


def missing():
    """Returns the name of a program or package that Spark needs and this machine lacks; None if there is none."""
    for module, least in (("pyspark", "4"), ("pyarrow", "0"), ("pandas", "0")):
        try:
            found = __import__(module)
        except ImportError:
            return f"the package {module} (pip install 'absolve[spark]')"
        if int(found.__version__.partition(".")[0]) < int(least):
            return f"{module} {least} or later"
    java = pathlib.Path(os.environ.get("JAVA_HOME", "/nonexistent"), "bin", "java")
    if shutil.which("java") is None and not java.is_file():
        return "Java (17 or later)"
    return None


def session(work, master="local-cluster[2,1,1024]", **settings):
    """Returns a session, whose temporary files are in ``work``."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    import absolve.spark

    builder = SparkSession.builder.master(master).appName("absolve")
    for name, value in {**SETTINGS, "spark.local.dir": str(work), **settings}.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    absolve.spark.register(spark)
    return spark


def children(pid):
    """Returns the processes that a process began, with their command lines."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # The name of a program is in parentheses, and may contain anything.
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid:
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return found


def executors(spark):
    """Returns the processes of executors."""
    driver = spark.sparkContext._gateway.jvm.java.lang.ProcessHandle.current().pid()
    return [pid for pid, line in children(driver).items() if "CoarseGrainedExecutorBackend" in line]


def python_workers(spark):
    """Returns the processes in which executors run Python."""
    daemons = [pid for executor in executors(spark) for pid in children(executor)]
    return [pid for daemon in daemons for pid in children(daemon)]


def kill(pids):
    """Kills processes, which may have ended; returns how many had not."""
    killed = 0
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
            killed += 1
        except ProcessLookupError:
            pass
    return killed


def wait_for(condition, seconds=60):
    """Returns what ``condition`` returns as soon as that is true; fails if it takes too long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.002)
    raise AssertionError("the moment to kill a process did not come")


def during(job, action):
    """Runs a job, and meanwhile an action in another thread. Returns the results of both."""
    results, errors = [], []

    def act():
        try:
            results.append(action())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=act)
    thread.start()
    result = job()
    thread.join()
    if errors:
        raise errors[0]
    return result, results[0]


def completed_tasks(spark):
    """Returns the number of tasks that ended in active stages, and the number of those that run."""
    tracker = spark.sparkContext.statusTracker()
    stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
    stages = [stage for stage in stages if stage is not None]
    return sum(stage.numCompletedTasks for stage in stages), sum(stage.numActiveTasks for stage in stages)


def command(*arguments):
    """Runs the command, and returns what it prints."""
    return subprocess.run([support.command(), *arguments], capture_output=True).stdout

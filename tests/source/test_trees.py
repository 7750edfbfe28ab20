"""Trees answer alike, and never leave their root."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configlint.source.git import Repository
from configlint.source.trees import MAX_FILE, Kind, MemoryTree, SourceError, Tree, Unreadable, WorkingTree, blob_id
from configlint.source.walk import WalkedTree
from tests.source.repositories import Git, commit, write

FILES: dict[str, str | bytes] = {
    "a.txt": "one\ntwo\n",
    "crlf.yaml": "a: 1\r\nb: 2\r\n",
    "empty": "",
    "dir/b.txt": "é€\n",
    "dir/deep/er/c.sh": "#!/bin/bash\n",
    "dir/deep/d.yaml": "x: [1, 2]\n",
    "binary.bin": b"\x7fELF\0\0\0",
    "latin.sh": b"echo caf\xe9\n",
    "big.log": b"x" * (6 * 1024 * 1024),
    "late-nul.txt": b"y" * 9000 + b"\0",
    "space and\ttab/it's": "quoted\n",
    "ünï/cödé": "name\n",
    ".github/x.yml": "on: push\n",
}
LINKS = {
    "link.txt": "a.txt",
    "dir/up.txt": "../a.txt",
    "linked": "dir",
    "dir/self": ".",
    "linked-deep": "linked/deep",
    "chain": "link.txt",
    "loop-a": "loop-b",
    "loop-b": "loop-a",
    "dangling": "nowhere/at/all",
    "dangling-up": "nowhere/../a.txt",
    "out": "../outside.txt",
    "out-far": "dir/../../project/a.txt",
    "absolute": "/etc/passwd",
    "through-file": "a.txt/x",
    "to-root": ".",
    "root-again": "dir/..",
    "to-module": "module/file",
    "dir/slashes": "..//./a.txt",
}
PATHS = (
    "", ".", "a.txt", "./a.txt", "a.txt/", "a.txt/..", "dir", "dir/", "dir//b.txt", "dir/../a.txt", "missing",
    "missing/x", "missing/../a.txt", "..", "../a.txt", "dir/../../a.txt", "/a.txt", "/", "/etc/passwd", "linked/b.txt",
    "linked/deep/er/c.sh", "linked/new.txt", "linked/..", "linked/../a.txt", "linked-deep/../b.txt",
    "dir/self/self/b.txt",
    "to-root/to-root/linked/b.txt", "loop-a/x", "out/x", "dangling/x", "module", "module/", "module/file", "module/..",
    "a\0b", "a.txt/x/y", "Dir/b.txt", "A.TXT", ".git", ".git/config", ".GIT/config", "link.txt/", "space and\ttab",
    *FILES, *LINKS, *(f"{path}/x" for path in LINKS), *(f"{path}/.." for path in LINKS),
)  # fmt: skip


def facts(tree: Tree, path: str) -> tuple[object, ...]:
    """Everything a tree says about a path."""
    try:
        text = tree.read(path)
        content: object = (text.path, text.raw)
    except (FileNotFoundError, Unreadable) as why:
        content = (type(why), getattr(why, "reason", ""))
    kind, where, digest = tree.kind(path), tree.resolve(path), tree.digest(path)
    return kind, where, digest, tree.list(path), tree.files(path), tree.is_symlink(path), content


def make(folder: Path) -> None:
    write(folder, FILES)
    for path, target in LINKS.items():
        (folder / path).symlink_to(target)


@pytest.fixture
def project(repository: Path, git: Git) -> Path:
    """A repository with everything that is difficult, and its submodule not checked out."""
    write(repository.parent, {"outside.txt": "secret"})
    make(repository)
    (repository / "module").mkdir()
    write(repository, {".gitmodules": '[submodule "m"]\n\tpath = module\n\turl = https://example.org/m\n'})
    git(repository, "add", "-A")
    git(repository, "update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},module")
    git(repository, "commit", "--quiet", "-m", "all")
    return repository


def test_working_tree_and_revision_answer_alike(project: Path) -> None:
    working = WorkingTree(project)
    with Repository(project) as repository:
        tree = repository.tree("HEAD")
        for path in (*PATHS, *tree.files()):
            assert facts(working, path) == facts(tree, path), path
        assert tree.gitlink("module") == "1" * 40
        assert tree.gitlink("a.txt") is None
        assert tree.gitlink("module/file") is None


def test_memory_and_working_tree_answer_alike(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    make(folder)
    working, memory = WorkingTree(folder), MemoryTree(FILES, symlinks=LINKS)
    for path in (*PATHS, *memory.files()):
        assert facts(working, path) == facts(memory, path), path


def test_order_of_questions_does_not_matter(project: Path) -> None:
    with Repository(project) as repository:
        shuffled = list(PATHS)
        random.Random(1).shuffle(shuffled)
        first, second = repository.tree("HEAD"), repository.tree("HEAD")
        first.prefetch(PATHS)
        answers = {path: facts(first, path) for path in PATHS}
        assert answers == {path: facts(second, path) for path in shuffled}


def test_what_the_answers_are(project: Path) -> None:
    tree = WorkingTree(project)
    kinds = {
        "": Kind.DIRECTORY,
        "a.txt": Kind.FILE,
        "a.txt/x": Kind.ABSENT,
        "binary.bin": Kind.FILE,
        "linked": Kind.DIRECTORY,
        "linked/b.txt": Kind.FILE,
        "loop-a": Kind.UNREADABLE,
        "dangling": Kind.ABSENT,
        "dangling-up": Kind.ABSENT,
        "out": Kind.UNREADABLE,
        "out-far": Kind.UNREADABLE,
        "absolute": Kind.UNREADABLE,
        "module": Kind.UNREADABLE,
        "module/file": Kind.UNREADABLE,
        "..": Kind.UNREADABLE,
        "/etc/passwd": Kind.UNREADABLE,
        "Dir/b.txt": Kind.ABSENT,
        ".git/config": Kind.ABSENT,
    }
    assert {path: tree.kind(path) for path in kinds} == kinds
    assert tree.resolve("linked-deep/er/c.sh") == "dir/deep/er/c.sh"
    assert tree.resolve("linked/new/file") == "dir/new/file"
    assert tree.read("dir/up.txt") is tree.read("a.txt")
    assert tree.digest("a.txt") == blob_id(b"one\ntwo\n")
    assert tree.digest("dir") is tree.digest("dangling") is None
    assert tree.list("linked") == ("b.txt", "deep", "self", "slashes", "up.txt")
    assert tree.files("linked") == (
        "linked/b.txt",
        "linked/deep/d.yaml",
        "linked/deep/er/c.sh",
        "linked/slashes",
        "linked/up.txt",
    )
    listed = tree.files()
    assert {"out", "loop-a", "to-module", "link.txt"} <= set(listed)
    assert not {"linked", "dangling", "module", ".git/HEAD"} & set(listed)
    assert tree.is_symlink("linked")
    assert tree.is_symlink("linked/self")
    assert not tree.is_symlink("linked/b.txt")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("big.log", "larger than 5 MiB (6,291,456 bytes)"),
        ("binary.bin", "binary"),
        ("out", "outside the tree"),
        ("absolute", "outside the tree"),
        ("loop-a", "symlinks form a loop"),
        ("module/file", "inside a submodule or nested repository"),
        ("dir", "a directory"),
    ],
)
def test_why_a_file_cannot_be_read(project: Path, path: str, reason: str) -> None:
    with Repository(project) as repository:
        for tree in (WorkingTree(project), repository.tree("HEAD")):
            for _ in range(2):
                with pytest.raises(Unreadable) as caught:
                    tree.read(path)
                assert (caught.value.path, caught.value.reason) == (path, reason)


def test_digest_is_gits_blob_id_for_every_file(project: Path, git: Git) -> None:
    tree = WorkingTree(project)
    for path in FILES:
        assert tree.digest(path) == git(project, "hash-object", "--no-filters", "--", path)


NAMES = st.sampled_from(["a", "b", "c"])
TARGETS = st.lists(st.sampled_from(["a", "b", "c", "..", "."]), min_size=1, max_size=4).map("/".join)


@st.composite
def layouts(draw: st.DrawFn) -> tuple[dict[str, str], dict[str, str]]:
    """Files and symlinks that can exist together."""
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    taken: dict[str, bool] = {}  # path -> is a directory
    for path in draw(st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), max_size=8, unique=True)):
        parents = [path.rsplit("/", n)[0] for n in range(1, path.count("/") + 1)]
        if path in taken or any(taken.get(parent) is False for parent in parents):
            continue
        taken |= dict.fromkeys(parents, True)
        taken[path] = False
        if draw(st.booleans()):
            files[path] = path
        else:
            links[path] = draw(st.one_of(TARGETS, st.just("/" + path)))
    return files, links


ASKED = st.lists(st.sampled_from(["a", "b", "c", "..", ".", ""]), min_size=1, max_size=6).map("/".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(layouts(), st.lists(ASKED, max_size=12))
def test_generated_layouts(
    tmp_path_factory: pytest.TempPathFactory, layout: tuple[dict[str, str], dict[str, str]], asked: list[str]
) -> None:
    files, links = layout
    root = tmp_path_factory.mktemp("layout") / "a" / "root"
    root.mkdir(parents=True)
    write(root, dict(files))
    for path, target in links.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).symlink_to(target)
    trees: list[WalkedTree] = [WorkingTree(root), MemoryTree(files, symlinks=links)]
    for path in (*files, *links, *asked):
        answers = [facts(tree, path) for tree in trees]
        assert answers[0] == answers[1]
        kind, where = answers[0][:2]
        if path.startswith("/"):
            assert kind is Kind.UNREADABLE
            continue
        # The kernel agrees wherever the way stays inside.
        there = f"{root}/{path}"  # no pathlib: it would tidy the path up
        if kind is Kind.FILE and not path.endswith("/"):
            assert os.path.realpath(there) == str(root / str(where))
            assert os.path.isfile(there)
        elif kind is Kind.DIRECTORY:
            assert os.path.isdir(there)
            assert os.path.samefile(there, root / str(where))
        elif kind is Kind.ABSENT:
            assert not os.path.exists(there)


def names_on_disk(folder: Path) -> bool:
    try:
        (folder / os.fsdecode(b"caf\xe9")).write_text("x")
    except OSError:
        return False
    return True


def test_names_that_are_not_utf8(repository: Path, git: Git) -> None:
    if not names_on_disk(repository):
        pytest.skip("this file system takes UTF-8 names only")
    commit(git, repository)
    name = os.fsdecode(b"caf\xe9")
    with Repository(repository) as opened:
        for tree in (WorkingTree(repository), opened.tree("HEAD")):
            assert tree.files() == (name,)
            assert tree.read(name).raw == b"x"
            assert tree.digest(name) == blob_id(b"x")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    tree = WorkingTree(tmp_path)
    assert tree.kind("pipe") is Kind.UNREADABLE
    assert tree.files() == ("pipe",)
    with pytest.raises(Unreadable, match="no regular file"):
        tree.read("pipe")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("swap", ["link", "pipe", "big"])
def test_a_file_swapped_after_it_was_listed(tmp_path: Path, swap: str) -> None:
    write(tmp_path, {"root/a": "x", "secret": "secret"})
    tree = WorkingTree(tmp_path / "root")
    assert tree.kind("a") is Kind.FILE
    target = tmp_path / "root" / "a"
    target.unlink()
    if swap == "link":
        target.symlink_to("../secret")
    elif swap == "pipe":
        os.mkfifo(target)
    else:
        target.write_bytes(b"x" * (MAX_FILE + 1))
    with pytest.raises(Unreadable):
        tree.read("a")


def test_a_folder_that_may_not_be_listed(tmp_path: Path) -> None:
    write(tmp_path, {"closed/a": "x", "b": "y", "closed-file": "z"})
    (tmp_path / "closed").chmod(0)
    (tmp_path / "closed-file").chmod(0)
    try:
        if os.access(tmp_path / "closed", os.R_OK):
            pytest.skip("this user may read everything")
        tree = WorkingTree(tmp_path)
        assert tree.kind("closed/a") is Kind.UNREADABLE
        assert tree.files() == ("b", "closed", "closed-file")
        for path in ("closed", "closed/a", "closed-file"):
            with pytest.raises(Unreadable, match="permission denied"):
                tree.read(path)
    finally:
        (tmp_path / "closed").chmod(0o700)


def test_nested_repositories_and_submodules_are_left_out(tmp_path: Path, repository: Path, git: Git) -> None:
    write(
        repository, {"a": "x", "nested/f": "x", "worktree/f": "x", "worktree/.git": "gitdir: elsewhere\n", "b/c": "x"}
    )
    git(repository / "nested", "init", "--quiet")
    write(repository, {".gitmodules": "[submodule]\n path = b\n"})  # stale: b has files of its own
    tree = WorkingTree(repository)
    assert tree.files() == (".gitmodules", "a", "b/c")
    assert tree.kind("nested") is tree.kind("nested/f") is tree.kind("worktree/f") is Kind.UNREADABLE
    assert "nested" in tree.list("")


def test_too_many_files_are_said_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("configlint.source.walk.MAX_FILES", 10)
    write(tmp_path, {f"d{n}/{m}": "" for n in range(4) for m in range(4)})
    tree = WorkingTree(tmp_path)
    assert len(tree.files("d1")) == 4
    with pytest.raises(Unreadable, match="more than 10 files"):
        tree.files()


def test_a_chain_of_symlinks_ends(tmp_path: Path) -> None:
    links = {f"l{n}": f"l{n + 1}" for n in range(100)} | {"wide": "/".join(["self"] * 1000), "self": "."}
    tree = MemoryTree({"l100": "x"}, symlinks=links)
    assert tree.kind("l99") is Kind.FILE
    assert tree.kind("l61") is Kind.FILE
    assert tree.kind("l0") is tree.kind("wide") is Kind.UNREADABLE
    start = time.process_time()
    assert tree.kind("/".join(["x"] * 100_000)) is Kind.ABSENT
    bomb = {"a": "/".join(["b"] * 2000), "b": "/".join(["a"] * 2000), "long": "x" * 5000}
    tree = MemoryTree({}, symlinks=bomb)
    assert tree.kind("a") is tree.kind("long") is Kind.UNREADABLE
    assert time.process_time() - start < 1


@pytest.mark.parametrize("path", ["/a", "a//b", "../a", "a/./b", "", "a/"])
def test_memory_tree_refuses_odd_paths(path: str) -> None:
    with pytest.raises(SourceError, match="relative and normalised"):
        MemoryTree({path: "x"})


def test_memory_tree_refuses_contradictions() -> None:
    for files, links in (({"a": "", "a/b": ""}, {}), ({"a/b": "", "a": ""}, {}), ({"a": ""}, {"a": "b"})):
        with pytest.raises(SourceError):
            MemoryTree(files, symlinks=links)


def test_a_root_that_is_no_folder(tmp_path: Path) -> None:
    write(tmp_path, {"file": ""})
    with pytest.raises(SourceError, match="no such folder"):
        WorkingTree(tmp_path / "missing")
    with pytest.raises(SourceError, match="not a folder"):
        WorkingTree(tmp_path / "file")


def test_texts_carry_the_origin() -> None:
    tree = MemoryTree({"a": "x"}, origin="owner/name@v1")
    assert tree.read("a").shown == "owner/name@v1:a"


def test_starting_needs_no_third_party_module() -> None:
    code = (
        "import sys, configlint.source.trees, configlint.source.refs;"
        "print(sorted({'yaml', 'tree_sitter', 're2', 'libcst', 'jsonschema'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_nothing_is_left_open(project: Path) -> None:
    # pytest turns a ResourceWarning in a finaliser into a warning of its own; here it must not even arise.
    code = (
        "import gc, sys, warnings; warnings.simplefilter('error');"
        "from configlint.source.git import Repository; from configlint.source.trees import WorkingTree;"
        "r = Repository(sys.argv[1]); r.tree('HEAD').files(); t = WorkingTree(sys.argv[1]);"
        "[t.digest(p) for p in t.files()]; del r, t; gc.collect();"
        "s = Repository(sys.argv[1]); s.resolve('HEAD')"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", code, str(project)], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""


def check_alike(trees: list[Tree], paths: list[str], same: Callable[[Tree, str], object] = facts) -> None:
    for path in paths:
        assert len({repr(same(tree, path)) for tree in trees}) == 1, path


def test_a_bare_repository_and_a_linked_worktree(project: Path, tmp_path: Path, git: Git) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(project), "bare.git")
    git(project, "worktree", "add", "--quiet", str(tmp_path / "linked"), "HEAD")
    opened = [Repository(project), Repository(tmp_path / "bare.git"), Repository(tmp_path / "linked")]
    check_alike([repository.tree("HEAD") for repository in opened], list(PATHS))
    check_alike([WorkingTree(project), WorkingTree(tmp_path / "linked")], list(PATHS))
    assert [repository.is_bare for repository in opened] == [False, True, False]
    for repository in opened:
        repository.close()
    gc.collect()

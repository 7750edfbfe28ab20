"""Revisions of real repositories, whole and broken."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest

from configlint.source.git import GitMissing, NotARepository, Repository, UnknownRevision, find_repository
from configlint.source.objects import Objects
from configlint.source.trees import Kind, SourceError, Unreadable, WorkingTree
from tests.source.repositories import Git, commit, write


def test_listing_is_what_git_lists(repository: Path, git: Git) -> None:
    numbers = random.Random(2)
    names = ["a", "b", "a.b", "a-b", "A", "x y", "é"]
    write(repository, {"/".join(numbers.choices(names, k=3)) + f"/{n}": f"{n}" for n in range(80)})
    commit(git, repository)
    with Repository(repository) as opened:
        tree = opened.tree("HEAD")
        rows = [line.split("\t") for line in git(repository, "ls-tree", "-r", "-z", "HEAD").split("\0") if line]
        assert tree.files() == tuple(sorted(path for _, path in rows))
        assert {path: tree.digest(path) for _, path in rows} == {path: meta.split()[2] for meta, path in rows}


def test_revisions_are_resolved(repository: Path, git: Git) -> None:
    first = commit(git, repository, "first")
    git(repository, "tag", "light")
    git(repository, "tag", "-a", "-m", "x", "heavy")
    git(repository, "branch", "topic/one")
    write(repository, {"a": "x"})
    second = commit(git, repository, "second")
    expected = {
        "HEAD": second,
        "main": second,
        "HEAD~1": first,
        "light": first,
        "heavy": first,
        "topic/one": first,
        "refs/tags/heavy": first,
        first: first,
        first[:9]: first,
        "nope": None,
        "HEAD:a": None,
        "": None,
        "HEAD\n": None,
        "a\nHEAD": None,
        "--all": None,
        "HEAD@{upstream}": None,
        "0" * 40: None,
        "x" * 10_000: None,
    }
    with Repository(repository) as opened:
        assert {revision: opened.resolve(revision) for revision in expected} == expected
        assert opened.tree("HEAD").name == "project@HEAD"
        assert opened.tree("HEAD~1").files() == ()
        with pytest.raises(UnknownRevision, match=r"project: revision 'nope' is unknown$"):
            opened.tree("nope")


def test_an_ambiguous_id_is_said(repository: Path, git: Git) -> None:
    tree = git(repository, "mktree")
    who = "a <a@example.org> 0 +0000"
    seen: dict[str, bytes] = {}
    for number in range(100_000):
        data = f"tree {tree}\nauthor {who}\ncommitter {who}\n\n{number}\n".encode()
        prefix = hashlib.sha1(b"commit %d\0%b" % (len(data), data)).hexdigest()[:5]
        if prefix in seen:
            break
        seen[prefix] = data
    for content in (data, seen[prefix]):
        git(repository, "hash-object", "-t", "commit", "-w", "--stdin", given=content)
    with Repository(repository) as opened:
        assert opened.resolve(prefix) is None
        with pytest.raises(UnknownRevision, match="is ambiguous"):
            opened.tree(prefix)


def test_what_is_no_repository(tmp_path: Path, repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotARepository, match="no such folder"):
        Repository(tmp_path / "missing")
    with pytest.raises(NotARepository, match="not a git repository"):
        Repository(tmp_path)
    write(tmp_path, {"odd/.git": "gitdir: " + "x" * 10_000})
    with pytest.raises(NotARepository, match="not a git repository"):
        Repository(tmp_path / "odd")
    git(repository, "config", "core.repositoryFormatVersion", "99")
    with pytest.raises(NotARepository, match="repo version"):
        Repository(repository).resolve("HEAD")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissing, match="git program was not found"):
        Repository(repository)


def test_the_repository_around_a_path(tmp_path: Path, repository: Path, git: Git) -> None:
    write(repository, {"a/b/c": "x"})
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), "bare.git")
    assert find_repository(repository / "a" / "b" / "c") == repository
    assert find_repository(repository) == repository
    assert find_repository(tmp_path / "bare.git" / "refs") == tmp_path / "bare.git"
    assert find_repository(tmp_path) is None


def test_the_environment_does_not_lead_elsewhere(
    tmp_path: Path, repository: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = commit(git, repository)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "other"))
    monkeypatch.chdir(tmp_path)
    with Repository(Path("project")) as opened:
        assert opened.resolve("HEAD") == id


def test_default_branch(tmp_path: Path, repository: Path, git: Git) -> None:
    id = commit(git, repository)
    git(repository, "branch", "-m", "trunk/x")
    git(tmp_path, "clone", "--quiet", str(repository), "clone")
    git(tmp_path / "clone", "switch", "--quiet", "-c", "topic")
    git(tmp_path, "clone", "--quiet", "--bare", str(tmp_path / "clone"), "bare.git")
    assert Repository(repository).default_branch() == "trunk/x"
    assert Repository(tmp_path / "clone").default_branch() == "trunk/x"
    assert Repository(tmp_path / "bare.git").default_branch() == "topic"
    git(repository, "checkout", "--quiet", "--detach", id)
    assert Repository(repository).default_branch() is None


def test_differences_and_merge_base(tmp_path: Path, repository: Path, git: Git) -> None:
    write(repository, {"keep": "x", "gone": "y", "moved": "long enough to be a rename\n", "changed": "1", "type": "z"})
    base = commit(git, repository, "base")
    git(repository, "switch", "--quiet", "-c", "topic")
    (repository / "gone").unlink()
    (repository / "moved").rename(repository / "ne\tw")
    (repository / "type").unlink()
    (repository / "type").symlink_to("keep")
    write(repository, {"changed": "2"})
    topic = commit(git, repository, "topic")
    git(repository, "switch", "--quiet", "main")
    main = commit(git, repository, "main")
    git(repository, "checkout", "--quiet", "--orphan", "alone")
    git(repository, "commit", "--quiet", "-m", "alone")
    with Repository(repository) as opened:
        assert opened.merge_base("topic", "main") == base
        assert opened.merge_base(topic, main) == base
        assert opened.merge_base("topic", "alone") is None
        expected = {("M", "changed"), ("D", "gone"), ("D", "moved"), ("A", "ne\tw"), ("T", "type")}
        assert set(opened.diff_paths("main", "topic")) == expected
        assert opened.diff_paths(main, main) == ()
        for call in (opened.merge_base, opened.diff_paths):
            with pytest.raises(UnknownRevision):
                call("main", "--output=x")
        assert not opened.is_shallow
    git(tmp_path, "clone", "--quiet", "--depth=1", "--branch=topic", f"file://{repository}", "shallow")
    with Repository(tmp_path / "shallow") as shallow:
        assert shallow.is_shallow
        with pytest.raises(UnknownRevision, match="shallow"):
            shallow.tree(base)


def test_hostile_names_in_a_tree(repository: Path, git: Git) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", given=b"x")
    raw = bytes.fromhex(blob)
    names = [b"..", b".", b".git", b"", b"a/b", b".GIT", b"good", b"good", b"../../etc"]
    data = b"".join(b"100644 " + name + b"\0" + raw for name in names)
    tree = git(repository, "hash-object", "-t", "tree", "-w", "--stdin", "--literally", given=data)
    id = git(repository, "commit-tree", "-m", "x", tree)
    with Repository(repository) as opened:
        *odd, good = sorted(opened.tree(id).files(), key=lambda path: path == "good")
        assert good == "good" and len(odd) == 7
        for path in odd:  # named, so that somebody can say so; never as what they are
            assert "/" not in path and path not in (".", "..", ".git")
            with pytest.raises(Unreadable, match="no checkout could hold"):
                opened.tree(id).read(path)
        assert opened.tree(id).kind("../../etc") is Kind.UNREADABLE


def test_a_tree_bomb_ends(repository: Path, git: Git) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", given=b"x")
    row = "100644 blob " + blob
    tree = git(repository, "mktree", given="".join(f"{row}\tf{n}\n" for n in range(20)).encode())
    for _ in range(12):
        tree = git(repository, "mktree", given="".join(f"040000 tree {tree}\td{n}\n" for n in range(20)).encode())
    id = git(repository, "commit-tree", "-m", "x", tree)
    with Repository(repository) as opened:
        bomb = opened.tree(id)
        start = time.process_time()
        with pytest.raises(Unreadable, match="more than 200,000 files"):
            bomb.files()
        assert bomb.read("/".join(["d7"] * 12) + "/f3").raw == b"x"
        assert time.process_time() - start < 2


def partial_clone(tmp_path: Path, repository: Path, git: Git) -> Path:
    write(repository, {"d/a.yaml": "a: 1\n", "d/b.yaml": "b: 1\n", "c.sh": "c\n"})
    (repository / "link").symlink_to("c.sh")
    commit(git, repository)
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{repository}", "partial")
    return tmp_path / "partial"


def test_a_missing_blob_is_said_and_never_fetched(tmp_path: Path, repository: Path, git: Git) -> None:
    partial = partial_clone(tmp_path, repository, git)
    git(partial, "cat-file", "blob", "HEAD:c.sh")  # this one git fetches
    trap = tmp_path / "trap"
    git(partial, "config", "remote.origin.uploadpack", f"touch {trap}; git-upload-pack")
    git(partial, "config", "protocol.file.allow", "always")
    before = sorted((partial / ".git" / "objects").rglob("*"))
    with Repository(partial) as opened:
        tree = opened.tree("HEAD")
        assert tree.files() == ("c.sh", "d/a.yaml", "d/b.yaml", "link")
        assert tree.kind("d/a.yaml") is Kind.FILE
        assert tree.kind("link") is Kind.UNREADABLE  # where it leads is in a blob
        for _ in range(2):
            with pytest.raises(Unreadable) as caught:
                tree.read("d/a.yaml")
            assert caught.value.reason == "not in this repository"
        tree.prefetch(tree.files())
        assert tree.read("c.sh").raw == b"c\n"
    assert not trap.exists()
    assert sorted((partial / ".git" / "objects").rglob("*")) == before


def test_a_missing_directory_object(repository: Path, git: Git) -> None:
    write(repository, {"d/e/a": "1", "b": "2"})
    commit(git, repository)
    id = git(repository, "rev-parse", "HEAD:d")
    (repository / ".git" / "objects" / id[:2] / id[2:]).unlink()
    with Repository(repository) as opened:
        tree = opened.tree("HEAD")
        assert tree.files() == ("b", "d")
        assert tree.kind("d/e/a") is Kind.UNREADABLE
        with pytest.raises(Unreadable, match="directory object not in this repository"):
            tree.read("d/e/a")
        assert tree.read("b").raw == b"2"


@pytest.mark.parametrize("damage", [b"garbage", b""])
def test_a_damaged_object(repository: Path, git: Git, damage: bytes) -> None:
    write(repository, {f"f{n}": f"content {n}" for n in range(9)})
    commit(git, repository)
    for n in (3, 6):
        id = git(repository, "rev-parse", f"HEAD:f{n}")
        path = repository / ".git" / "objects" / id[:2] / id[2:]
        path.chmod(0o600)
        path.write_bytes(damage)
    with Repository(repository) as opened:
        tree = opened.tree("HEAD")
        tree.prefetch(tree.files())
        for n in range(9):
            if n in (3, 6):
                with pytest.raises(Unreadable, match=r"git stopped while reading it|not in this repository"):
                    tree.read(f"f{n}")
            else:
                assert tree.read(f"f{n}").raw == b"content %d" % n


def test_prefetch_reads_much_without_waiting_for_itself(repository: Path, git: Git) -> None:
    numbers = random.Random(3)
    files = {f"d{n % 7}/{n}": numbers.randbytes(30_000).replace(b"\0", b"0") for n in range(300)}
    files["huge"] = b"x" * (50 * 1024 * 1024)
    files["large"] = b"y" * (6 * 1024 * 1024)
    write(repository, files)
    commit(git, repository)
    with Repository(repository) as opened:
        tree = opened.tree("HEAD")
        tree.prefetch([*files, "absent", "d1"])
        for path in ("huge", "large"):
            with pytest.raises(Unreadable, match="larger than 5 MiB"):
                tree.read(path)
        opened.close()
        assert all(tree.read(path).raw == content for path, content in files.items() if path[0] == "d")


def test_many_small_objects_and_long_names(repository: Path, git: Git) -> None:
    write(repository, {f"{n}": f"{n}" for n in range(2500)})
    commit(git, repository)
    with Repository(repository) as opened:
        tree = opened.tree("HEAD")
        tree.prefetch(tree.files())
        assert [tree.read(f"{n}").string for n in range(2500)] == [f"{n}" for n in range(2500)]


def test_threads_share_a_repository(repository: Path, git: Git) -> None:
    write(repository, {f"{n}": f"{n}" for n in range(200)})
    commit(git, repository)
    with Repository(repository) as opened:
        trees = [opened.tree("HEAD") for _ in range(4)]
        wrong: list[str] = []

        def read(tree_number: int) -> None:
            wrong.extend(f"{n}" for n in range(200) if trees[tree_number].read(f"{n}").string != f"{n}")

        threads = [threading.Thread(target=read, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_reads_on_its_own(repository: Path, git: Git) -> None:
    write(repository, {"a": "1", "b": "2", "c": "3"})
    commit(git, repository)
    with Repository(repository) as opened:
        tree = opened.tree("HEAD")
        assert tree.read("a").raw == b"1"
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if tree.read("b").raw == b"2" else 1
                opened.close()
            finally:
                os._exit(status)
        assert tree.read("c").raw == b"3"
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert tree.read("b").raw == b"2"


def test_a_repository_with_sha256(tmp_path: Path, git: Git) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    git(folder, "init", "--quiet", "--object-format=sha256")
    write(folder, {"d/a": "x", "b": "y"})
    id = commit(git, folder)
    assert len(id) == 64
    with Repository(folder) as opened:
        tree = opened.tree("main")
        assert tree.files() == ("b", "d/a")
        assert tree.read("d/a").raw == b"x"
        assert tree.digest("d/a") == git(folder, "rev-parse", "HEAD:d/a")


def test_replacement_objects_are_not_followed(repository: Path, git: Git) -> None:
    write(repository, {"a": "true"})
    commit(git, repository)
    other = git(repository, "hash-object", "-w", "--stdin", given=b"false")
    git(repository, "replace", git(repository, "rev-parse", "HEAD:a"), other)
    with Repository(repository) as opened:
        assert opened.tree("HEAD").read("a").raw == b"true"


def test_a_git_that_keeps_dying_is_given_up(tmp_path: Path) -> None:
    reader = Objects([shutil.which("false") or "false"], {}, str(tmp_path))
    answers = reader.read_many(["a" * 40] * 100)
    assert {answer.problem for answer in answers} == {"git stopped while reading it"}
    with pytest.raises(SourceError, match="cannot be started"):
        Objects([str(tmp_path / "missing")], {}, str(tmp_path)).read("x")


@pytest.mark.corpus
@pytest.mark.skipif("CONFIGLINT_CORPUS" not in os.environ, reason="CONFIGLINT_CORPUS names no corpus")
def test_the_corpus_is_listed_as_git_lists_it() -> None:
    corpus = Path(os.environ["CONFIGLINT_CORPUS"])
    with Repository(corpus) as opened:
        head = opened.resolve("HEAD")
        assert head is not None
        tree = opened.tree(head)
        command = ["git", f"--git-dir={corpus}", "ls-tree", "-r", "-z", head]
        rows = subprocess.run(command, capture_output=True, check=True).stdout.decode().split("\0")
        modes = {path: meta.split() for meta, _, path in (row.partition("\t") for row in rows if row)}
        for path, (mode, _, id) in modes.items():
            if mode == "160000":
                assert tree.gitlink(path) == id
            elif mode == "120000":
                assert tree.is_symlink(path)
            else:
                assert tree.digest(path) == id


def test_working_tree_without_git_needs_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a": "x"})
    monkeypatch.setenv("PATH", "")
    assert WorkingTree(tmp_path).read("a").raw == b"x"

"""Sources from strangers: archives that climb, links, bombs, giants, nonsense. Always a clear error, never more."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from configlint.catalog import archives
from configlint.catalog.members import MAX_MEMBER, MembersError
from configlint.catalog.opening import opened
from configlint.cli.main import main

CLIMBING = ["../evil.py", "/etc/evil.py", "a/../../evil.py", "C:\\evil.py", "\\\\host\\evil.py", "a\\..\\..\\evil.py"]


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, raw in members.items():
            archive.writestr(name, raw)
    return path


def tarred(path: Path, members: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for info, raw in members:
            info.size = len(raw)
            archive.addfile(info, io.BytesIO(raw))
    return path


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info, b""


@pytest.mark.parametrize("name", CLIMBING)
def test_a_path_that_leaves_the_archive_condemns_all_of_it(tmp_path: Path, name: str) -> None:
    members = {"p/a.py": b"A = 1\n", name: b"B = 2\n"}
    made = [
        zipped(tmp_path / "a.whl", members),
        tarred(tmp_path / "a.tar.gz", [(tarfile.TarInfo(one), raw) for one, raw in members.items()]),
    ]
    for path in made:
        with pytest.raises(MembersError, match="would leave the archive"), opened(str(path)):
            pass
    assert not (tmp_path.parent / "evil.py").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_links_in_a_tar_are_not_followed(tmp_path: Path, kind: bytes) -> None:
    (tmp_path / "secret.py").write_text("SECRET = 1\n")
    path = tarred(
        tmp_path / "a.tar.gz",
        [(tarfile.TarInfo("p/a.py"), b"A = 1\n"), link("p/b.py", str(tmp_path / "secret.py"), kind)],
    )
    with opened(str(path)) as members:
        assert members.files() == ("a.py", "b.py")
        assert members.read("a.py") == "A = 1\n"
        with pytest.raises(MembersError, match="is a link"):
            members.read("b.py")


def test_a_link_to_a_folder_does_not_lead_what_follows_elsewhere(tmp_path: Path) -> None:
    path = tarred(tmp_path / "a.tar.gz", [link("p/d", str(tmp_path)), (tarfile.TarInfo("p/d/evil.py"), b"B = 2\n")])
    with opened(str(path)) as members:
        assert members.files() == ("d/evil.py",)
    assert not (tmp_path / "evil.py").exists()


def test_a_link_in_a_zip_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "a.whl"
    with zipfile.ZipFile(path, "w") as archive:
        info = zipfile.ZipInfo("p/a.py")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    with opened(str(path)) as members, pytest.raises(MembersError, match="is a link"):
        members.read("p/a.py")


def test_huge_members_are_refused_one_by_one(tmp_path: Path) -> None:
    huge = b"#" * (MAX_MEMBER + 1)
    made = [
        zipped(tmp_path / "a.whl", {"p/huge.py": huge, "p/a.py": b"A = 1\n"}),
        tarred(
            tmp_path / "a.tar.gz", [(tarfile.TarInfo("t/p/huge.py"), huge), (tarfile.TarInfo("t/p/a.py"), b"A = 1\n")]
        ),
    ]
    for path in made:
        with opened(str(path)) as members:
            assert members.read("p/a.py") == "A = 1\n"
            with pytest.raises(MembersError, match="larger than 5 MiB"):
                members.read("p/huge.py")


def test_a_zip_whose_header_lies_about_the_size_is_cut_off(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.whl", {"p/a.py": b"#" * (MAX_MEMBER + 10)})
    raw = bytearray(path.read_bytes())
    size = (MAX_MEMBER + 10).to_bytes(4, "little")
    assert raw.count(size) >= 2
    path.write_bytes(bytes(raw).replace(size, (10).to_bytes(4, "little")))
    with opened(str(path)) as members, pytest.raises(MembersError, match=r"cannot be read|larger than"):
        members.read("p/a.py")


def test_a_bomb_is_stopped_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_MAX_UNPACKED", 1 << 20)
    path = tarred(tmp_path / "a.tar.gz", [(tarfile.TarInfo("p/data.bin"), bytes(4 << 20))])
    assert path.stat().st_size < 1 << 14
    with pytest.raises(MembersError, match="unpacks to more than"), opened(str(path)):
        pass


def test_many_members_each_below_the_limit_have_a_limit_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_TOTAL", 1000)
    members = {f"p/{n}.py": b"#" * 400 for n in range(3)}
    with opened(str(zipped(tmp_path / "a.whl", members))) as found:
        found.read("p/0.py")
        found.read("p/1.py")
        with pytest.raises(MembersError, match="of sources"):
            found.read("p/2.py")
    path = tarred(tmp_path / "a.tar.gz", [(tarfile.TarInfo(one), raw) for one, raw in members.items()])
    with pytest.raises(MembersError, match="of sources"), opened(str(path)):
        pass


def test_a_header_of_a_tar_cannot_ask_for_any_amount_of_memory(tmp_path: Path) -> None:
    info = tarfile.TarInfo("pax")
    info.type, info.size = tarfile.XHDTYPE, 1 << 40
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024)))
    with pytest.raises(MembersError, match=r"a header says|not a readable tar"), opened(str(path)):
        pass


def test_too_many_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    members = {f"p/{n}.txt": b"" for n in range(4)}
    made = [
        zipped(tmp_path / "a.whl", members),
        tarred(tmp_path / "a.tar.gz", [(tarfile.TarInfo(one), raw) for one, raw in members.items()]),
    ]
    for path in made:
        with pytest.raises(MembersError, match="more than 3 members"), opened(str(path)):
            pass


@pytest.mark.parametrize("twice", ["a.whl", "a.tar.gz"])
def test_a_member_that_is_there_twice_is_neither(tmp_path: Path, twice: str) -> None:
    path = tmp_path / twice
    if twice.endswith("whl"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("p/a.py", "A = 1\n")
            with pytest.warns(UserWarning, match="Duplicate"):
                archive.writestr("p/a.py", "A = 2\n")
    else:
        tarred(path, [(tarfile.TarInfo("t/p/a.py"), b"A = 1\n"), (tarfile.TarInfo("t/p/a.py"), b"A = 2\n")])
    with opened(str(path)) as members, pytest.raises(MembersError, match="is there twice"):
        members.read("p/a.py")


@pytest.mark.parametrize("name", ["a.whl", "a.zip", "a.tar.gz", "a.tgz"])
@pytest.mark.parametrize("raw", [b"", b"PK\x03\x04nonsense", b"\x1f\x8b\x08nonsense", os.urandom(3000)])
def test_nonsense_is_a_usage_error(tmp_path: Path, name: str, raw: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(raw)
    code = main(["catalog", "add", "ai-dynamo@1", "--from", str(tmp_path / name), "--data", str(tmp_path / "d")])
    assert code in (1, 2)  # an empty tar is an archive without a package
    assert "internal error" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "source",
    [
        b"\xff\xfe not utf-8 \xff",
        b"def parse_args(:\n",
        b"(" * 5000,
        b"x = " + b"-" * 20000 + b"1\n",
        b"def parse_args():\n    return parse_args()\n",
        b"import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n    parse_args()\n"
        b"    p.add_argument('--a')\n",
        b"A = [0]\nimport argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n"
        + b"    for x in [1] * 9: p.add_argument('--a')\n",
        b"import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n    a = []\n    a.append(a)\n"
        b"    p.add_argument('--a', choices=a, default=a)\n",
        b"import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n    a = ['x' * 9]\n"
        + b"    a.extend(a)\n" * 40
        + b"    p.add_argument('--a', choices=a)\n",
        b"import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n    s = 'xxxxxxxx'\n"
        + b"    s = s + s\n" * 60
        + b"    p.add_argument('--a', default=s)\n",
        b"import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n    a = [1]\n"
        + b"    a = [a, a]\n" * 60
        + b"    p.add_argument('--a', default=a, choices=a)\n",
        b"import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n    d = {}\n    d['d'] = d\n"
        b"    p.add_argument('--a', default=d, **d)\n",
        b"import argparse\nL = [0] + " + b"[1] + " * 50 + b"[2]\ndef parse_args():\n    p = argparse.ArgumentParser()\n"
        b"    for a in L:\n        for b in L:\n            for c in L:\n"
        b"                p.add_argument(f'--{a}{b}{c}')\n"
        b"    p.add_argument('--a', choices=[[[[a for a in L] for b in L] for c in L] for d in L])\n",
        b"import argparse\ndef f(p):\n    f(p)\n    f(p)\n    p.add_argument('--a')\ndef parse_args():\n"
        b"    p = argparse.ArgumentParser()\n    f(p)\n",
        b"import argparse\ndef f(p):\n"
        + b"".join(b" " * n + b" if p:\n" for n in range(1, 60))
        + b" " * 61
        + b"f(p)\ndef parse_args():\n    f(argparse.ArgumentParser())\n",
        b"import argparse\ndef parse_args():\n    p = argparse.ArgumentParser()\n"
        + b"    p.add_argument('--a', default=1e999)\n    p.add_argument('--b', default=9**9**9)\n",
    ],
)
def test_hostile_modules_end_in_facts_or_reasons(
    tmp_path: Path, source: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = zipped(tmp_path / "a.whl", {"dynamo/vllm/args.py": source, "dynamo/vllm/__init__.py": b""})
    code = main(["catalog", "add", "ai-dynamo@1", "--from", str(path), "--data", str(tmp_path / "d"), "--allow-shrink"])
    assert code == 0, capsys.readouterr().err

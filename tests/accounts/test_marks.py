"""Marks: one line a person, by the version that counts, and everything to work them out again."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from card_arena.accounts.entries import Limits, Quota
from card_arena.accounts.marks import NOT_PLAYED, NOTHING, Counts
from card_arena.accounts.sheets import Source, write_archive
from card_arena.accounts.storage.models import UploadRow
from card_arena.accounts.storage.people import BadAccount
from card_arena.leaderboard.seasons import season as read_season
from card_arena.leaderboard.sheets import MOODLE, Row, as_csv
from card_arena.results.store import Store
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.programs import Program
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.tournament import stage
from card_arena.tournament.play import runner
from card_arena.tournament.settings import settings_of
from card_arena.verify.verify import verify_file

DEADLINE = datetime(2026, 11, 27, 20, tzinfo=UTC)
USUAL = Quota(a_day=99, deadline=DEADLINE, grace=timedelta(hours=1))
GAUNTLET = {
    "gauntlet": {
        "against": ["value@1"],
        "meetings": 1,
        "thresholds": {"pass": -1e6, "good": "value@1", "best": 1e6},
        "grades": {"pass": 50, "good": 75, "best": 100},
    }
}


class Course:
    """A course whose bots have played two seasons of a gauntlet."""

    def __init__(self, folder: Path) -> None:
        self.porch = Porch(folder)
        self.store: Store = self.porch.store
        stage.submit(self.store, stage.shell("value", 17).write(folder / "bots"), author="house")
        self.porch.accounts.invite("Cid", "cid@example.org", team="Red")
        self.porch.accounts.invite("Dan", "dan@example.org", team="Green")
        self.porch.accounts.invite("Eve", "eve@example.org", role="organiser")
        self.porch.accounts.change_person("number", "ann@example.org", number="4711")

    def add_upload(self, who: str, limit: int, after: timedelta) -> None:
        """Hand in a new version of the bot of Ann or Bob, so long after the deadline."""
        person = {"ann": self.porch.ann, "bob": self.porch.bob}[who]
        upload = self.porch.settled(self.porch.add_upload(person, bot(f"{who}s", limit)))
        assert upload.state == "accepted", upload.reason
        with self.porch.accounts.database.writing() as session:
            values = {"received": DEADLINE + after}
            session.execute(update(UploadRow).where(UploadRow.id == upload.id).values(**values))

    def play(self) -> None:
        settings = settings_of(
            {
                "name": "small",
                "game": "blackjack",
                "format": GAUNTLET,
                "workers": 2,
                "seats": 2,
                "boards": 8,
                "schedule": "new bots",
                "clock": {"question": "20s", "start": "60s"},
                "limits": {"cpu": "20s"},
            }
        )
        runner.run(self.store, [settings], stage.Notes(), wait=False)

    def source(self, counts: Counts = "last") -> Source:
        return Source(self.store, self.porch.accounts, USUAL, counts)

    def marks(self, counts: Counts = "last", season: int = 2) -> dict[str, Row]:
        return {row["name"]: row for row in self.source(counts).rows("marks", "small", season)}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    here = Course(tmp_path_factory.mktemp("course"))
    here.add_upload("ann", 15, -timedelta(days=2))
    here.add_upload("bob", 14, timedelta(minutes=30))
    here.play()
    here.add_upload("ann", 99, -timedelta(days=1))  # it never stands, so it loses every hand
    here.play()
    yield here
    here.porch.accounts.close()
    here.store.close()


def test_every_person_who_is_no_organiser_has_one_line(course: Course):
    rows = course.marks()
    assert [*rows][:4] == ["Ann", "Bob", "Cid", "Dan"]
    assert "Eve" not in rows
    assert [row["number"] for row in rows.values()][:4] == ["4711", None, None, None]
    assert [row["team"] for row in rows.values()][:4] == ["Red", "Blue", "Red", "Green"]
    assert rows["Dan"]["note"] == NOTHING
    assert rows["Dan"]["mark"] is None


def test_the_figures_are_those_of_the_page_and_name_all_that_they_come_from(course: Course):
    row = course.marks()["Ann"]
    season = read_season(course.store, "small", 2)
    (panel,) = season.panels
    version = course.store.version("anns@2")
    (line,) = [each for each in panel["lines"] if each["version"] == version.id]
    boards, mean, reach = line["margin"]
    assert (row["boards"], row["points"]) == (boards, mean)
    assert (row["points_low"], row["points_high"]) == (mean - reach, mean + reach)
    assert (row["bot"], row["version"], row["sha256"]) == ("anns", 2, version.digest)
    assert (row["manifest"], row["head"]) == (season.manifest, season.head)
    assert row["thresholds"] == "pass: -1e+06; good: value v1; best: 1e+06"
    assert (row["season"], row["deadline"]) == (2, DEADLINE)


def test_the_mark_is_the_highest_threshold_that_is_surely_reached(course: Course):
    row = course.marks("best")["Ann"]
    assert row["mark"] in ("pass", "good")
    assert row["grade"] == {"pass": 50, "good": 75}[row["mark"]]


def test_the_last_version_counts_or_the_best_that_came_in_time(course: Course):
    last, best = course.marks("last")["Ann"], course.marks("best")["Ann"]
    assert last["version"] == 2
    assert best["version"] == 1
    assert best["points"] > last["points"]
    assert (best["season"], last["season"]) == (1, 2)
    assert course.marks("best")["Cid"]["version"] == 1, "a member has the team's mark"


def test_what_came_in_the_grace_is_late_and_counts_only_where_nothing_came_in_time(course: Course):
    row = course.marks()["Bob"]
    assert (row["version"], row["late"]) == (1, True)
    assert course.marks()["Ann"]["late"] is False


def test_an_extension_and_an_excuse_make_what_came_late_come_in_time(course: Course):
    accounts = course.porch.accounts
    until = DEADLINE + timedelta(hours=2)
    accounts.set_limits(Limits(deadline=until, reason="the network was down"), "Blue")
    row = course.marks()["Bob"]
    assert (row["late"], row["deadline"], row["excuse"]) == (False, until, "the network was down")
    accounts.clear_limits("Blue")
    accounts.excuse("bob@example.org", "ill", until)
    row = course.marks()["Bob"]
    assert (row["late"], row["deadline"], row["excuse"]) == (False, until, "ill")
    accounts.take_excuse_back("bob@example.org")
    assert course.marks()["Bob"]["late"] is True
    said = [(entry.what, entry.about) for entry in accounts.audit_log(6)]
    assert ("excuse", "bob@example.org") in said
    assert ("take an excuse back", "bob@example.org") in said


def test_a_version_that_has_not_played_has_no_points_and_says_so(course: Course):
    row = course.marks(season=1)["Ann"]
    assert (row["version"], row["points"], row["note"]) == (2, None, NOT_PLAYED)


def test_who_has_the_name_of_bots_that_were_not_given_to_them_gets_no_marks_for_them(
    course: Course, tmp_path: Path
):
    stage.submit(course.store, stage.shell("greens", 16).write(tmp_path), author="Green")
    assert course.marks()["Dan"]["bot"] is None
    assert course.marks()["Dan"]["note"] == NOTHING


def test_a_bot_that_has_another_name_by_now_came_when_it_came(course: Course):
    before = course.marks()["Ann"]
    for name in ("renamed", "anns"):
        course.porch.accounts.request_operation(
            None, "move", before["bot"], name=name, reason="a typo"
        )
        course.porch.carry_out()
        row = course.marks()["Ann"]
        assert (row["bot"], row["version"]) == (name, before["version"])
        assert (row["received"], row["late"]) == (before["received"], before["late"])
        before = row


def test_a_bot_with_the_name_of_one_that_was_deleted_came_when_it_came(course: Course):
    accounts, person = (
        course.porch.accounts,
        course.porch.accounts.invite("Fay", "fay@example.org")[0],
    )
    for limit, after in ((13, -timedelta(hours=1)), (12, timedelta(minutes=5))):
        upload = course.porch.settled(course.porch.add_upload(person, bot("fays", limit)))
        with accounts.database.writing() as session:
            values = {"received": DEADLINE + after}
            session.execute(update(UploadRow).where(UploadRow.id == upload.id).values(**values))
        late = course.marks()["Fay"]["late"]
        assert late == (after > timedelta())
        if not late:
            accounts.request_operation(None, "delete", "fays", number=None)
            assert course.porch.carry_out() == "fays is deleted"


def test_moodle_gets_the_address_the_number_the_grade_and_a_sentence(course: Course):
    rows = {row["Email address"]: row for row in course.source().rows("moodle", "small", 2)}
    ann = rows["ann@example.org"]
    assert [*ann] == [column.name for column in MOODLE.columns]
    assert ann["ID number"] == "4711"
    assert ann["Grade"] in ("0", "50", "75")
    assert ann["Feedback"].startswith("anns v2 in season 2; reached: ")
    assert "submitted late" in rows["bob@example.org"]["Feedback"]
    assert rows["dan@example.org"]["Grade"] is None
    assert "eve@example.org" not in rows, "Moodle refuses a file with people that it doesn't know"


def test_a_number_belongs_to_one_person_and_no_cell_is_a_formula(course: Course):
    accounts = course.porch.accounts
    with pytest.raises(BadAccount, match=r"'4711' belongs to ann@example\.org"):
        accounts.change_person("number", "dan@example.org", number="4711")
    accounts.change_person("number", "dan@example.org", number="=1+1")
    text = "".join(as_csv(MOODLE, course.source().rows("moodle", "small", 2)))
    cells = {row["Email address"]: row for row in csv.DictReader(io.StringIO(text))}
    assert cells["dan@example.org"]["ID number"] == "'=1+1"
    accounts.change_person("number", "dan@example.org", number="")


def test_an_archive_has_everything_and_its_seasons_can_be_verified(course: Course, tmp_path: Path):
    target = tmp_path / "course.zip"
    with target.open("wb") as file:
        write_archive(file, course.source(), ["small"])
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        names = {*archive.namelist()}
        assert {f"{each}.csv" for each in ("people", "submissions", "versions", "log")} <= names
        assert {"README.txt", "SHA256SUMS", "bots/anns/1.tar.gz", "bots/value/1.tar.gz"} <= names
        for number in (1, 2):
            for sheet in ("standings", "matches", "decisions", "marks-last", "moodle-best"):
                assert f"small/{number}/{sheet}.csv" in names
        packed = archive.read("bots/anns/2.tar.gz")
        assert packed == course.store.archive(course.store.version("anns@2").id)
        proof = tmp_path / "small-0002.zip"
        proof.write_bytes(archive.read("small/2/small-0002.zip"))
        listed = archive.read("SHA256SUMS").decode().splitlines()
        assert {line.split("  ")[1] for line in listed} == names - {"SHA256SUMS"}
    assert not verify_file(proof).differences


def test_the_admin_pages_and_the_api_give_the_same_files_to_organisers_alone(course: Course):
    with open_site(course.porch) as app:
        boss, ann = Browser(app), Browser(app)
        boss.enter(course.porch.accounts.new_link("eve@example.org")[1])
        ann.enter(course.porch.accounts.new_link("ann@example.org")[1])
        eve, _ = course.porch.accounts.new_link("eve@example.org")
        program = Program(app, course.porch, eve, "manage")
        api = "admin/tournaments/small"
        for mine, theirs in (
            (
                "/admin/t/small/2/marks.csv?counts=best",
                f"{api}/seasons/2/sheets/marks.csv?counts=best",
            ),
            ("/admin/t/small/2/moodle.csv", f"{api}/seasons/2/sheets/moodle.csv"),
            ("/admin/sheets/people.csv", "admin/sheets/people.csv"),
        ):
            page = boss.get(mine)
            assert page.status_code == 200
            assert "no-store" in page.headers["Cache-Control"]
            assert program.get(theirs).data == page.data
            assert ann.get(mine).status_code == 403
        assert boss.get("/admin/t/small/2/marks.csv?counts=worst").status_code == 404
        for path in ("/admin/t/small/archive.zip", "/admin/archive.zip"):
            assert ann.get(path).status_code == 403
            with boss.get(path) as answer:
                assert zipfile.ZipFile(io.BytesIO(answer.data)).testzip() is None
        assert boss.get("/admin/t/none/archive.zip").status_code == 404
        with program.get(f"{api}/archive") as answer:
            assert zipfile.ZipFile(io.BytesIO(answer.data)).testzip() is None
        assert "for Moodle" in boss.get("/admin/t/small").text

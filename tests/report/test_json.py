from __future__ import annotations

import json
from dataclasses import replace

from inplace_lsp.report.as_json import as_json
from report.story import FILE, FINDING


def test_the_contract_to_the_letter():
    assert as_json([FINDING]) == [
        {
            "code": "IP101",
            "name": "saved-tensor-modified",
            "severity": "error",
            "message": "`y` is written here (version 0 -> 1), but `exp` on line 4 saved it",
            "assumptions": ["x requires grad"],
            "filename": FILE,
            "location": {"row": 7, "column": 1},
            "end_location": {"row": 7, "column": 10},
            "related": [
                {
                    "role": "saved",
                    "message": "saved here by `exp`",
                    "filename": FILE,
                    "location": {"row": 4, "column": 5},
                    "end_location": {"row": 4, "column": 12},
                },
                {
                    "role": "backward",
                    "message": "needed here",
                    "filename": FILE,
                    "location": {"row": 8, "column": 1},
                    "end_location": {"row": 8, "column": 17},
                },
            ],
            "after": None,
            "fixable": None,
            "advice": "",
            "url": "https://inplace-lsp.readthedocs.io/hazards/IP101",
            "fix": {
                "applicability": "unsafe",
                "message": "write `y = y.add(1)`",
                "edits": [
                    {
                        "content": "y = y.add(1)",
                        "location": {"row": 7, "column": 1},
                        "end_location": {"row": 7, "column": 10},
                    }
                ],
            },
        }
    ]


def test_no_fix_is_null_and_everything_is_plain_data():
    [finding] = json.loads(json.dumps(as_json([replace(FINDING, fix=None)])))
    assert finding["fix"] is None

# ruff: noqa
"""Names that only a framework, another process or a later part of the product uses; vulture would call them dead."""

main_gui  # entry point in pyproject.toml
delete_resumed  # part of what recovery tells
observed_at_ms  # an anchor is stored whole
time_zone
resting_until_mono_ms  # travels to Doctor as JSON
child_pid
pictures_read
acquire  # leases between processes: taken by Sleep and the retention jobs
ok  # style tokens, filled into the style sheet by name
on_accent
title_px
add_rule  # user rules: written by the Privacy page and `biny config`
change_rule
delete_rule
set_builtin
last_hit_ms
hitButton  # Qt asks it where a press counts
question_terms  # messages, facts and event cards are asked by it
of_segment  # what became of the offers of a segment: shown with facts
prs  # fields of a model's answer, read by name
issues
commits
people
identifiers
repos
versions
loadResource  # Qt calls them
createEditor
setEditorData
setModelData
updateEditorGeometry
clip  # a field of Qt's that is set
calibration_id  # how an index is, as JSON
log_emptied  # a receipt of a deletion, as JSON
required_action  # what the log of a chat says, as JSON
message_ids  # those who keep anchors to messages hear it

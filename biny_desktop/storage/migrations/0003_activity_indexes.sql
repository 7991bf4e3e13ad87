-- Indexes that keep counts, queues and lists fast at 200,000 frames (spec 03 §8).
DROP INDEX frames_to_read;
CREATE INDEX frames_by_read_state ON frames(read_state, read_urgent, id);
CREATE INDEX frames_by_original ON frames(seen_again_of) WHERE seen_again_of IS NOT NULL;
CREATE INDEX pictures_by_size ON pictures(state, bytes);
CREATE INDEX frame_events_by_app ON frame_events(app_id, at) WHERE app_id IS NOT NULL;
CREATE INDEX recorder_states_by_time ON recorder_states(at);
CREATE INDEX frame_events_presence ON frame_events(at) WHERE kind IN ('lock', 'unlock', 'sleep', 'wake');
CREATE INDEX frame_events_deleted ON frame_events(at) WHERE reason = 'deleted';

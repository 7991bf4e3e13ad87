-- Ageing and the storage page read no picture row itself: it holds a thumbnail, and rows are many (spec 02 §6, 03 §8).
CREATE INDEX pictures_by_tier ON pictures(state, tier, pinned, created_at, bytes, original_bytes, tier_error);
DROP INDEX frames_by_picture;
CREATE INDEX frames_by_picture ON frames(picture_id, captured_at, read_state);

-- Saves a checkpoint in the place of a version that its writer knows, or of an earlier one of its own.
-- KEYS: the checkpoint.
-- ARGV: the writer, the number of this saving, the version that is known ("*" for any), the checkpoint.
-- Returns 1, or 0 where another writer has saved since.
local version = redis.call('HGET', KEYS[1], 'version') or ''
local writer, number = string.match(version, '^(.*):(%d+)$')
if writer == ARGV[1] then
  if tonumber(number) >= tonumber(ARGV[2]) then
    return 1 -- This one was saved before, by a sending whose reply got lost, or a later one has taken its place.
  end
elseif version ~= '' and ARGV[3] ~= '*' and ARGV[3] ~= version then
  return 0
end
redis.call('HSET', KEYS[1], 'version', ARGV[1] .. ':' .. ARGV[2], 'checkpoint', ARGV[4])
return 1

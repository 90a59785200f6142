#!lua flags=allow-oom
-- Settles a claim. A server at its maxmemory takes it: all but what it has lost was written at the claim.
-- KEYS: as in claim.lua.
-- ARGV: the delivery, the claim's name, the outcome, the ttl in ms.
local delivery, name, outcome, ttl = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if outcome == 'done' or outcome == 'rejected' then -- Even if the claim was lost meanwhile.
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), delivery)
  redis.call('SET', KEYS[2], outcome .. '|', 'PX', ttl)
elseif redis.call('GET', KEYS[2]) == 'in progress|' .. name then
  redis.call('DEL', KEYS[2])
  redis.call('ZREM', KEYS[1], delivery)
end
return 1

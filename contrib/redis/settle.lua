#!lua flags=allow-oom
-- Settles a claim. A server at its maxmemory takes it: all but what it has lost was written at the claim.
-- KEYS: as in claim.lua.
-- ARGV: sum, the claim's fence, the outcome, the time to keep in ms.
-- Returns 1, or 0 if the delivery is another claim's.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local sum, fence, outcome, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local status, holder = unpack(redis.call('HMGET', KEYS[1], 'status', 'fence'))
if holder and holder ~= fence then
  return 0
elseif holder and status ~= 'in progress' then
  return status == outcome and 1 or 0 -- The reply to an earlier sending got lost.
end

if outcome == 'failed' then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[3], sum)
else
  -- A server that has lost its memory since the claim gets all of it.
  redis.call('HSET', KEYS[1], 'status', outcome, 'fence', fence)
  redis.call('PEXPIRE', KEYS[1], keep)
  redis.call('ZADD', KEYS[3], string.format('%.0f', now + keep), sum)
end
for i = 4, #KEYS do
  if (redis.call('GET', KEYS[i]) or sum) == sum then -- A key that was lost may be another delivery's by now.
    if outcome == 'failed' then
      redis.call('DEL', KEYS[i])
    else
      redis.call('SET', KEYS[i], sum, 'PX', keep)
    end
  end
end
return 1

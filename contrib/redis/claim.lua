-- Claims a delivery. The clock is the server's, so that replicas need not agree on theirs.
-- KEYS: the delivery, the last fence, all deliveries by the time of their end, the delivery's keys.
-- ARGV: sum, the name of this claim, lease and time to keep in ms, the maximum number of deliveries.
-- Returns the status, and the fence if it is granted.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local sum, name, lease, keep, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])

for i = 4, #KEYS do
  local known = redis.call('GET', KEYS[i])
  if known and known ~= sum then
    return {'conflict', 0}
  end
end

local status, ends, fence, claimant = unpack(redis.call('HMGET', KEYS[1], 'status', 'ends', 'fence', 'name'))
if status and status ~= 'in progress' then
  return {status, 0}
elseif status and claimant == name then
  return {'granted', tonumber(fence)}
elseif status and now < tonumber(ends) then
  return {'in progress', 0}
end

-- The time is a part of it, in microseconds, so that a server that has lost its memory grants no fence twice. This is the
-- first write because a server at its maxmemory refuses the first one of a script only, and only if it takes memory.
fence = math.max(tonumber(redis.call('GET', KEYS[2]) or 0) + 1, clock[1] * 1000000 + clock[2])
redis.call('SET', KEYS[2], string.format('%.0f', fence))

redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
if not status and redis.call('ZCARD', KEYS[3]) >= limit then
  return {'store full', 0}
end

redis.call('HSET', KEYS[1], 'status', 'in progress', 'ends', string.format('%.0f', now + lease),
  'fence', string.format('%.0f', fence), 'name', name)
redis.call('PEXPIRE', KEYS[1], keep + lease)
redis.call('ZADD', KEYS[3], string.format('%.0f', now + keep + lease), sum)
for i = 4, #KEYS do
  redis.call('SET', KEYS[i], sum, 'PX', keep + lease)
end
return {'granted', fence}

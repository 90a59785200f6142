-- Claims a delivery. The clock is the server's, so that replicas need not agree on theirs.
-- KEYS: all deliveries by the time of their end, then the delivery's keys, with its sum, its status and a claim's name.
-- ARGV: sum, the name of this claim, its ttl in ms, the maximum number of deliveries.
-- Returns the status.
local sum, name, ttl, limit = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local mine = sum .. '|in progress|' .. name

local status
for i = 2, #KEYS do
  local known = redis.call('GET', KEYS[i])
  if known == mine then
    status = 'granted' -- The reply to an earlier sending got lost.
  elseif known and string.sub(known, 1, #sum) ~= sum then
    return 'conflict'
  elseif known then
    status = string.match(known, '|([^|]*)|')
  end
end
if status then
  return status
end

-- ZADD comes first because a server at its maxmemory refuses the first write of a script only, and only if it takes
-- memory.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), sum)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) > limit then
  redis.call('ZREM', KEYS[1], sum)
  return 'store full'
end
for i = 2, #KEYS do
  redis.call('SET', KEYS[i], mine, 'PX', ttl)
end
return 'granted'

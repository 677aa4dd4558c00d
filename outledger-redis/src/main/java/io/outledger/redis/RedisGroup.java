// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.XGroupCreateArgs;
import io.lettuce.core.XReadArgs.StreamOffset;
import io.lettuce.core.api.sync.RedisCommands;
import io.outledger.MessageLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group of a stream, of which one member has entries at a time.
 *
 * @param stream the stream's key
 * @param name the group's name
 * @param takeOver how long a member is silent before another takes its entries
 */
record RedisGroup(String stream, String name, Duration takeOver) {

  /** Reads what no member has. */
  static final String NEW = ">";

  /** Reads what this member has from its first entry on. */
  static final String OWN = "0";

  static final int PAGE_MAX = 100;

  /** The most bytes of an entry that is received. */
  static final long ENTRY_BYTES_MAX =
      Math.min(MessageLimits.PAYLOAD_BYTES_MAX, Runtime.getRuntime().maxMemory() / 8);

  private static final long PAGE_BYTES_MAX = 4L * 1024 * 1024;

  /**
   * Entries of this member that it forgot with its connection come first; then, where nobody has
   * any, new ones; else those of a member that is silent for too long. In one step, so that no two
   * members read new ones side by side. A member that begins has dead ones forgotten that have
   * nothing; one that lives after all becomes a member again with its next read.
   *
   * <p>Redis counts entries, and each may have 512 MiB. So they are read one at a time, until the
   * page has enough bytes, and of one that is too large only its size is returned.
   */
  private static final String READ =
      """
      local stream, group, member = KEYS[1], ARGV[1], ARGV[2]
      local count, idle = tonumber(ARGV[3]), ARGV[4]
      local after, most, largest = ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
      local page, gone, bytes = {}, {}, 0
      local function add(entry)
        local size = 0
        for _, text in ipairs(entry[2] or {}) do
          size = size + #text
        end
        if size > largest then
          entry = {entry[1], size}
        else
          bytes = bytes + size
        end
        page[#page + 1] = entry
      end
      local function read(from)
        while #page < count and bytes < most do
          local reply = redis.call('XREADGROUP', 'GROUP', group, member, 'COUNT', 1,
              'STREAMS', stream, from)
          local entry = reply and reply[1][2][1]
          if not entry then
            break
          end
          add(entry)
          from = from == '>' and from or entry[1]
        end
      end
      if after == '0' then
        for _, info in ipairs(redis.pcall('XINFO', 'CONSUMERS', stream, group)) do
          local of = {}
          for i = 1, #info, 2 do
            of[info[i]] = info[i + 1]
          end
          if of['pending'] == 0 and of['idle'] > tonumber(idle) then
            redis.call('XGROUP', 'DELCONSUMER', stream, group, of['name'])
          end
        end
      end
      if after ~= '>' then
        read(after)
      elseif redis.call('XPENDING', stream, group)[1] == 0 then
        read('>')
      else
        local cursor, looks = '0-0', 0
        repeat
          local taken = redis.call('XAUTOCLAIM', stream, group, member, idle, cursor, 'COUNT', 1)
          for _, entry in ipairs(taken[2]) do
            add(entry)
          end
          for _, id in ipairs(taken[3] or {}) do
            gone[#gone + 1] = id
          end
          cursor, looks = taken[1], looks + 1
        until cursor == '0-0' or looks >= count or bytes >= most
      end
      return {page, gone}
      """;

  /** Lets others have at once what a member has, and forgets a member that has nothing. */
  private static final String LEAVE =
      """
      local stream, group, member = KEYS[1], ARGV[1], ARGV[2]
      local all = redis.call('XPENDING', stream, group, '-', '+', 10000, member)
      for _, entry in ipairs(all) do
        redis.call('XCLAIM', stream, group, member, 0, entry[1], 'IDLE', ARGV[3], 'JUSTID')
      end
      if #all == 0 then
        redis.call('XGROUP', 'DELCONSUMER', stream, group, member)
      end
      return #all
      """;

  /**
   * An entry as Redis returned it.
   *
   * @param id its id
   * @param fields its fields; null where it was removed from the stream, or is too large
   * @param bytes how large it is where it is too large; else 0
   */
  record Entry(String id, @Nullable Map<String, byte[]> fields, long bytes) {

    Entry(String id, @Nullable Map<String, byte[]> fields) {
      this(id, fields, 0);
    }
  }

  /** Creates stream and group where they do not exist: a Redis that is full refuses even to try. */
  void create(RedisCommands<String, byte[]> redis) {
    if (exists(redis)) {
      return;
    }
    try {
      var unused =
          redis.xgroupCreate(
              StreamOffset.from(stream, "0"), name, XGroupCreateArgs.Builder.mkstream());
    } catch (RedisCommandExecutionException e) {
      if (!RedisOutcomes.code(e).equals("BUSYGROUP")) { // it exists
        throw e;
      }
    }
  }

  private boolean exists(RedisCommands<String, byte[]> redis) {
    try {
      var unused = redis.xpending(stream, name);
      return true;
    } catch (RedisCommandExecutionException e) { // NOGROUP, or none of the user's rights
      return false;
    }
  }

  /**
   * Reads entries, without waiting.
   *
   * @param after reads those that this member has not acknowledged after this id; {@link #NEW} for
   *     those of nobody, or of a dead member
   * @param countMax how many at most
   */
  List<Entry> read(RedisCommands<String, byte[]> redis, String member, String after, int countMax) {
    List<?> reply =
        redis.eval(
            READ,
            ScriptOutputType.MULTI,
            new String[] {stream},
            bytes(name),
            bytes(member),
            bytes(Integer.toString(countMax)),
            bytes(Long.toString(takeOver.toMillis())),
            bytes(after),
            bytes(Long.toString(PAGE_BYTES_MAX)),
            bytes(Long.toString(ENTRY_BYTES_MAX)));
    List<Entry> entries = new ArrayList<>();
    for (Object entry : (List<?>) reply.get(0)) {
      entries.add(entry((List<?>) entry));
    }
    // What was trimmed away before its member acknowledged it.
    for (Object id : (List<?>) reply.get(1)) {
      entries.add(new Entry(text(id), null));
    }
    return entries;
  }

  private static Entry entry(List<?> reply) {
    String id = text(reply.get(0));
    Object content = reply.size() > 1 ? reply.get(1) : null; // Redis ends a list at what is gone
    if (!(content instanceof List<?> all)) {
      return new Entry(id, null, content instanceof Long size ? size : 0);
    }
    Map<String, byte[]> fields = new TreeMap<>();
    for (int i = 0; i + 1 < all.size(); i += 2) {
      fields.put(text(all.get(i)), (byte[]) all.get(i + 1));
    }
    return new Entry(id, fields);
  }

  /** Gives a member's entries up. */
  void leave(RedisCommands<String, byte[]> redis, String member) {
    Long unused =
        redis.eval(
            LEAVE,
            ScriptOutputType.INTEGER,
            new String[] {stream},
            bytes(name),
            bytes(member),
            bytes(Long.toString(takeOver.toMillis())));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Object bytes) {
    return RedisBinding.text((byte[]) bytes);
  }

  @Override
  public String toString() {
    return "Redis group " + name + " of stream " + stream;
  }
}

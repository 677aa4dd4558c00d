// SPDX-License-Identifier: Apache-2.0

/**
 * Redis Streams: {@link io.outledger.redis.RedisPublisher} appends messages to streams, and {@link
 * io.outledger.redis.RedisReceiver} receives them as a member of a consumer group.
 */
@NullMarked
package io.outledger.redis;

import org.jspecify.annotations.NullMarked;

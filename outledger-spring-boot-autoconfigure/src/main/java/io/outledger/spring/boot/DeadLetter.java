// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.relay.listener.Subject;

/**
 * A message that has used up its attempts.
 *
 * @param subscription the subscription that it failed in
 * @param message its id, key and position, and the handler as its route
 * @param attempts how many attempts have failed
 * @param reason what happened last, for people
 */
public record DeadLetter(String subscription, Subject message, int attempts, String reason) {}

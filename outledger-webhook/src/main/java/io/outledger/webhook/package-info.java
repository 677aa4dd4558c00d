// SPDX-License-Identifier: Apache-2.0

/**
 * Webhooks: {@link io.outledger.webhook.WebhookPublisher} posts messages to HTTP endpoints as
 * signed CloudEvents, and {@link io.outledger.webhook.WebhookReader} reads them where they arrive.
 */
@NullMarked
package io.outledger.webhook;

import org.jspecify.annotations.NullMarked;

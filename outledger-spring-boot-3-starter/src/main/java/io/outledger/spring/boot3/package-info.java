// SPDX-License-Identifier: Apache-2.0
/** What has another name in Spring Boot 3 than in its other line: health and Kafka's connection. */
@NullMarked
package io.outledger.spring.boot3;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** The smallest application on Spring Boot 3.5, as the quick start for Spring tells it. */
@NullMarked
package io.outledger.examples.boot3;

import org.jspecify.annotations.NullMarked;

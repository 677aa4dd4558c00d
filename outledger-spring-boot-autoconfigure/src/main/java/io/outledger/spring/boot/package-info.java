// SPDX-License-Identifier: Apache-2.0
/** Sets Outledger up in a Spring Boot application. The starters bring it. */
@NullMarked
package io.outledger.spring.boot;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.ToldStartsContract;
import org.junit.jupiter.api.Tag;

/** What the log says of a start on this line of Spring Boot. */
@Tag("long")
class ToldStarts35IT extends ToldStartsContract {}

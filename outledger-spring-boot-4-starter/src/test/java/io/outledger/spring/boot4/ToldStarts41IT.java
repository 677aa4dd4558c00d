// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot4;

import io.outledger.spring.contract.ToldStartsContract;

/** What the log says of a start on this line of Spring Boot. */
class ToldStarts41IT extends ToldStartsContract {}

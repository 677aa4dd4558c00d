// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot3;

import io.outledger.spring.contract.mails.OutledgerTestByProfileContract;

/** On this line of Spring Boot. */
class OutledgerTestByProfile35IT extends OutledgerTestByProfileContract {}
